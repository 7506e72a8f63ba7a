"""Looking for what is wrong with a split, and repairing it."""
