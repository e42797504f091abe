"""Execute a notebook in its own folder and write it, with what it printed, elsewhere: `python -m notebooks.execute IN OUT`.

Ends with an error where a cell does.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main(source: str, target: str) -> None:
    notebook = nbformat.read(source, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(Path(source).parent)}}).execute()
    nbformat.write(notebook, target)
    print(f"{source}: {len(notebook.cells)} cells executed; see {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
