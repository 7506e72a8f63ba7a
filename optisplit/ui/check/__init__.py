"""The page Check."""
