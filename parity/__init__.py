"""The harness: gives two implementations the same cases and reports every divergence."""
