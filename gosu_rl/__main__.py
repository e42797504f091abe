"""`python -m gosu_rl` is the command `gosu-rl`."""

import sys

from gosu_rl.cli import main

if __name__ == "__main__":
    sys.exit(main())
