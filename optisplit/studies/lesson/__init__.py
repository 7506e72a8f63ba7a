"""The arithmetic of the lesson "why LD is class-size biased": small examples, with every number computed."""
