"""The measures of a split, their bounds, and what data and pairs of labels are like."""
