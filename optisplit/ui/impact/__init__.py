"""The page "Does it matter?"."""
