"""Files: labels and splits, in and out."""
