"""Compiled inner loops: plain arrays in, plain arrays out, nothing checked.

Every kernel releases the interpreter lock, runs on one thread and gives the same result wherever it runs.
Callers check their arguments at the border; a kernel trusts them.
"""
