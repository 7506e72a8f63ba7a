"""The paper, re-run: its tables and its synthetic experiment, our numbers beside the printed ones.

H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross validation with
application to large and sparse gene ontology datasets", Applied Computing and Intelligence, 2022,
doi 10.3934/aci.2022003.
"""

from optisplit.measures.characteristics import PROPERTIES
from optisplit.studies.paper.catalogue import FIGURES, PAPER_DATA, ROWS, PaperData, Row
from optisplit.studies.paper.datasets import Place, find_data
from optisplit.studies.paper.printed import Printed, read_printed
from optisplit.studies.paper.reproduction import Reproduction, reproduce

__all__ = [
    "FIGURES",
    "PAPER_DATA",
    "PROPERTIES",
    "ROWS",
    "PaperData",
    "Place",
    "Printed",
    "Reproduction",
    "Row",
    "find_data",
    "read_printed",
    "reproduce",
]
