"""Methods x seeds on one data set, side by side."""
