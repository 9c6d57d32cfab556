"""Embedders, rerankers and writers behind protocols."""
