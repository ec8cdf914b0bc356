"""Adapter around the installed harbor wheel: it runs harbor's own code on a case and returns an outcome.

It holds no scoring logic. `oracle.door` is the way in; importing this package does not import harbor.
"""

import os

# Set before any module of the package can import harbor: litellm, under harbor, otherwise downloads model prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["HARBOR_TELEMETRY"] = "0"
