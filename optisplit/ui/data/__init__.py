"""The page that says what the chosen data is."""
