"""The border for labels: whatever users hold, in; one sparse matrix of zeros and ones, with its names, out."""

from optisplit.labels.border import as_labels
from optisplit.labels.dataset import MultilabelDataset, Reading, as_dataset
from optisplit.labels.edit import EDITS, drop_labels, edited, merge_labels
from optisplit.labels.lists import names_in_lists
from optisplit.labels.matrix import LabelMatrix, count_columns, has_counts, positives_per_label, side_by_side

__all__ = [
    "EDITS",
    "LabelMatrix",
    "MultilabelDataset",
    "Reading",
    "as_dataset",
    "as_labels",
    "count_columns",
    "drop_labels",
    "edited",
    "has_counts",
    "merge_labels",
    "names_in_lists",
    "positives_per_label",
    "side_by_side",
]
