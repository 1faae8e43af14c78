"""Many games stepped together, for learners: arrays of masks, observations and actions (docs/batch.rst)."""

from herzen.batch._batch import Batch
from herzen.batch.errors import IllegalActions

__all__ = ["Batch", "IllegalActions"]
