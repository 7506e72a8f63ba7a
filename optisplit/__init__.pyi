from .check.checks import check_split
from .check.costs import RuleCosts, rule_costs
from .check.missing import find_missing_labels
from .check.old_names import find_absences
from .check.repairs import Repair, repair
from .comparison.experiment import ComparisonResult, compare
from .errors import OptisplitError, SplitWarning
from .folds.constraints import FREE
from .folds.parts import take_parts
from .io.encoding.encode import encode_targets
from .io.registry import FORMATS
from .io.samples import SAMPLES, load
from .io.splits import read_split
from .io.writers.labels import save
from .io.writers.splits import save_split
from .labels import MultilabelDataset, as_labels, drop_labels, merge_labels
from .measures.pairs import label_pairs
from .measures.report import Report, evaluate
from .methods import METHODS
from .methods.api import split
from .methods.costs import estimate_times
from .methods.make_recipe import make_recipe
from .methods.recipes import Recipe
from .model_selection.aliases import (
    MultilabelStratifiedKFold,
    MultilabelStratifiedShuffleSplit,
    RepeatedMultilabelStratifiedKFold,
    iterative_train_test_split,
)

__version__: str

__all__ = [
    "FORMATS",
    "FREE",
    "METHODS",
    "SAMPLES",
    "ComparisonResult",
    "MultilabelDataset",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "OptisplitError",
    "Recipe",
    "Repair",
    "RepeatedMultilabelStratifiedKFold",
    "Report",
    "RuleCosts",
    "SplitWarning",
    "as_labels",
    "check_split",
    "compare",
    "drop_labels",
    "encode_targets",
    "estimate_times",
    "evaluate",
    "find_absences",
    "find_missing_labels",
    "iterative_train_test_split",
    "label_pairs",
    "load",
    "make_recipe",
    "merge_labels",
    "read_split",
    "repair",
    "rule_costs",
    "save",
    "save_split",
    "split",
    "take_parts",
]
