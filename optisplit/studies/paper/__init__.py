"""The paper, re-run: its tables and its synthetic experiment, our numbers beside the printed ones.

H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross validation with
application to large and sparse gene ontology datasets", Applied Computing and Intelligence, 2022,
doi 10.3934/aci.2022003.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["tables_html"],
    submod_attrs={
        "catalogue": ["BESIDE", "FIGURES", "PAPER_DATA", "ROWS", "PaperData", "Row"],
        "datasets": ["Place", "find_data"],
        "printed": ["Printed", "read_printed", "read_published_code"],
        "reproduction": ["Reproduction", "as_made_beforehand", "reproduce"],
        "tables": ["PROPERTIES"],
    },
)
