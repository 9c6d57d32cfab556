"""An answer in a model's words: the evidence it may use, its claims, and whether the evidence bears them."""
