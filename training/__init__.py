"""How the bundled models are made: pairs from a library and from parallel data, training, evaluation."""
