"""The arithmetic of the lesson "why LD is label-size biased": small examples, with every number computed."""
