"""Fold arrays, and what they have to keep to."""
