"""Positions and hand-made networks of the neighbouring rooms; without torch (extra `train`) tests of networks are left out."""

import sys
from importlib.util import find_spec
from pathlib import Path

for folder in ("core", "nets"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))

collect_ignore = [] if find_spec("torch") and find_spec("safetensors") else ["test_ppo.py", "test_guide.py"]
