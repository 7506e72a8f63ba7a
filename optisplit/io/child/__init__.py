"""Reading in a process of its own: whatever a file does to it, the process that asked goes on.

- :mod:`.process`: the side that asks, with limits on memory, time and answers.
- :mod:`.template`: the side that reads. On Linux one process with the readers loaded makes a copy of itself for each
  file, in a few milliseconds; elsewhere a new one is started.
- What comes back is never unpickled: JSON and plain arrays, checked (:mod:`.wire`, :mod:`.codec`).
"""
