"""Tables: text, JSON and Parquet, as one table of named columns."""
