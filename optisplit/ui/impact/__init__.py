"""The page that asks whether the way of splitting matters."""
