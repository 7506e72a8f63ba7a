"""The page of the paper."""
