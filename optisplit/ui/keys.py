"""Names of what is kept in the session and in the address, in one place."""

from __future__ import annotations

OWNER = "owner"
JOB_ID = "job_id"
EARLIER_JOB_ID = "earlier_job_id"
UPLOADS = "uploads"
UPLOAD_ROUND = "upload_round"
DATA = "data"

METHODS = "methods"
N_SPLITS = "folds"
N_SEEDS = "seeds"
MEASURE = "measure"
EFFORT = "effort"
MAX_EPOCHS = "epochs"
TIME_LIMIT = "limit"
