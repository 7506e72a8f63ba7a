"""How tables hold labels: found, and read."""
