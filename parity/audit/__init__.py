"""Auditing a job directory: whether each figure of its ``result.json`` follows from the trials' own files.

Everything is computed by reimpl, from files that may have been tampered with; harbor is not needed.
"""

from parity.audit.auditor import NoJobError, audit_job
from parity.audit.findings import Audit, Figure, Problem, Verdict

__all__ = ["Audit", "Figure", "NoJobError", "Problem", "Verdict", "audit_job"]
