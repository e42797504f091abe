"""`gosu-rl report RUN`: one page of a run, as HTML and as Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

EXAMPLES = """examples:
  gosu-rl report runs/impact-tactics                      report.html and report.md into the run folder
  gosu-rl report runs/mine --html mine.html --open        only the HTML page, there, and show it
  gosu-rl report runs/mine --markdown -                   Markdown on standard output

A run is a folder into which winrates, tournament or cards impact wrote result.json. The HTML page holds its pictures and needs no
network and no scripts, so it can be sent to anybody as one file."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of `gosu-rl`."""
    parser = subparsers.add_parser(
        "report",
        help="one page of a run: HTML or Markdown",
        description="Write what a run found as one self-contained HTML page, as Markdown, or both.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run_folder", metavar="RUN", help="the folder of a run, or its result.json")
    parser.add_argument("--html", metavar="FILE", help="write the HTML page there")
    parser.add_argument("--markdown", metavar="FILE", help="write Markdown there; - for standard output")
    parser.add_argument("--open", action="store_true", help="show the HTML page in the browser")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the pages; ValueError, OSError for a folder without a result, or a damaged one."""
    from gosu_rl.arena import page, result, result_file
    from gosu_rl.arena.report import write

    source = _result_file(Path(args.run_folder), result.FILE_NAME)
    found, folder = result_file.read(source), source.parent
    both = args.html is None and args.markdown is None
    html = Path(args.html) if args.html else folder / "report.html" if both or args.open else None
    markdown = args.markdown or (str(folder / "report.md") if both else None)
    if html is not None:
        write(html, page.as_html(found, folder))
        print(f"page:     {html}", file=sys.stderr if markdown == "-" else sys.stdout)
    if markdown == "-":
        print(page.as_markdown(found, folder, Path("report.md")), end="")
    elif markdown is not None:
        write(Path(markdown), page.as_markdown(found, folder, Path(markdown)))
        print(f"markdown: {markdown}")
    if args.open and html is not None:
        _show(html)
    return 0


def _result_file(run: Path, name: str) -> Path:
    if run.is_file():
        return run
    if not run.exists():
        raise ValueError(f"{run}: there is no such run folder")
    if not (run / name).is_file():
        raise ValueError(f"{run}: holds no {name}; run winrates, tournament or cards impact with --out {run}")
    return run / name


def _show(page: Path) -> None:
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        raise ValueError(f"no browser was found to show it; the page is written: {page}")
