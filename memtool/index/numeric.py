"""numpy, with the linear algebra of OpenBLAS on one thread.

A command multiplies a matrix by a few vectors, and the speed of memory limits that. Starting a thread for
each core, and waiting for them, took a third of the CPU time of `recall` in a small tree on two cores. The
variable is removed again, because it is not meant for programs that memtool runs.
"""

from __future__ import annotations

import os

_VARIABLE = "OPENBLAS_NUM_THREADS"
_is_set = _VARIABLE in os.environ
if not _is_set:
    os.environ[_VARIABLE] = "1"
try:
    import numpy as np
finally:
    if not _is_set:
        del os.environ[_VARIABLE]

__all__ = ["np"]
