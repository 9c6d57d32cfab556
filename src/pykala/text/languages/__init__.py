"""Languages as data: one TOML file each, and the registry to which packs add their own."""
