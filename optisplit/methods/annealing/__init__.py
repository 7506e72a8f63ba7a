"""Simulated annealing over folds: what moves, the problem in arrays, and the search."""
