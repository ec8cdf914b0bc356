"""Whether the parity suite notices every small change to reimpl: `nox -s mutants`."""
