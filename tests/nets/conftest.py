"""Networks want torch, which comes with the extra `train`; without it their tests are left out."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("safetensors") else ["test_*.py"]
