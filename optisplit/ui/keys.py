"""Names of what is kept in the session and in the address, in one place."""

from __future__ import annotations

OWNER = "owner"
JOB_ID = "job_id"
UPLOADS = "uploads"
UPLOAD_ROUND = "upload_round"
DATA = "data"

DIVIDE = "divide"
SHARES = "shares"
GROUPS = "groups"
GROUPS_ROUND = "groups_round"
GROUPS_COLUMN = "groups_column"
METHODS = "methods"
N_SPLITS = "folds"
N_SEEDS = "seeds"
MEASURE = "measure"
EFFORT = "effort"
MAX_EPOCHS = "epochs"
TIME_LIMIT = "limit"
BALANCE_PAIRS = "balance_pairs"
COVER_RARE = "cover_rare"

PAPER_DATA = "paper_data"
PAPER_ROWS = "paper_rows"
PAPER_SEEDS = "paper_seeds"
PAPER_LIMIT = "paper_limit"
