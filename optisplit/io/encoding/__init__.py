"""Columns of any kind, made into columns that can be balanced: kinds, their guesses, and the encoding."""
