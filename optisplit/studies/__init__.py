"""What goes beyond one split: the paper run again, the lesson, and whether the way of splitting matters."""
