"""Costs of models: prices, and a meter that enforces caps."""
