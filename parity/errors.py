"""The one error a user sees when nothing could be compared."""


class CannotRunError(Exception):
    """Nothing was compared: the message is one line that says why and what to do (exit code 2)."""
