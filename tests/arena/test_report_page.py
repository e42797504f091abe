"""A run as a page: everything is in it, nothing else is asked for, and what comes from the run is only ever text."""

from __future__ import annotations

import html.parser
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

import gosu_rl
from gosu_rl.arena import cells, page, result, result_file
from gosu_rl.arena.result import Result
from gosu_rl.arena.stats import Interval
from gosu_rl.arena.tables import Figure, Table
from gosu_rl.cli import main

NAN = float("nan")
NASTY = '<script>alert("x")</script> & | `tick` *star* <img src=http://example.com/a.png>'
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


def colour_png(colour=(1.0, 0.0, 1.0), size=(40, 60)) -> bytes:
    out = io.BytesIO()
    image.imsave(out, np.broadcast_to(np.array(colour), (*size, 3)), format="png")
    return out.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with tables of every kind of cell, and nasty texts wherever there are texts."""
    gain, loss = Interval(0.061, 0.041, 0.081, 9), Interval(-0.5, -0.9, -0.1, 9)
    one = ("one", 1200, Figure(Interval(0.561, 0.541, 0.581, 9)), Figure(gain, "effect", stands=True))
    two = ("two", 7, Figure(Interval(0.0, 0.0, 0.19, 9)), Figure(loss, "effect"), None)
    rated = (NASTY, Figure(Interval(953.2, 800, 1100, 9), "rating", "≥ "), Figure.of(3e-6, "seconds"))
    mixed = [("a", Figure.of(0.5, "share")), ("b", Figure.of(2.5, "number")), ("c", Figure.of(NAN, "share"))]
    tables = [
        Table(
            "Shares",
            ("who", "games", "share", "effect", "q"),
            [(*one, Figure.of(0.0002, "chance")), two],
            "fair `50 %`",
            fair=0.5,
            about={"q": "chance"},
        ),
        Table(NASTY, ("agent " + NASTY, "rating", "time"), [rated]),
        Table("Mixed", ("", "value"), mixed),
    ]
    found = Result(
        kind="tournament",
        title="A run " + NASTY,
        banner="Some cards (x@1)",
        command="gosu-rl tournament tactics --agents '" + NASTY + "'",
        identity={"seed": 3},
        facts=[("seed", "3"), ("agents", NASTY)],
        tables=tables,
        plots=[("picture.png", "A picture"), ("gone.png", "A lost picture")],
        files=[("all.csv", "everything")],
        incomplete="INCOMPLETE: 3 of 9 deals",
        notes=["Read `this` first."],
    )
    (tmp_path / "picture.png").write_bytes(colour_png())
    (tmp_path / "result.json").write_text(result.as_json(found, gosu_rl.game("tactics")), encoding="utf-8")
    return tmp_path


class Reader(html.parser.HTMLParser):
    """Tags with their attributes, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


# ------------------------------------------------------------------------------------------------ HTML


def test_the_page_holds_everything(run):
    shown = Reader(page.as_html(result_file.read(run / "result.json"), run))
    assert shown.open == []  # every tag is closed, in order
    for words in (
        "A run " + NASTY,
        *(
            "Some cards (x@1)",
            "INCOMPLETE: 3 of 9 deals",
            "1,200",
            "56.1",
            "54.1 … 58.1",
            "+6.1",
            "+4.1 … +8.1",
            "−50.0",
        ),
        *("< 0.001", "≥ +953", "3 µs", "50.0 %", "2.50", "–", "fair 50 %", "Read this first.", "all.csv", "everything"),
        *("The picture gone.png is not in the run folder.", "a reconstruction, not the published ones"),
        *("418 reconstructed", "numba", gosu_rl.__version__),
    ):
        assert " ".join(words.split()) in shown.text, words
    assert "gosu-rl tournament tactics --agents '" + NASTY in "".join(shown.words)
    assert sum(tag == "svg" for tag, _ in shown.tags) == 4
    assert sum("marked" in (facts.get("class") or "") for _, facts in shown.tags) == 1


def test_the_page_asks_for_nothing(run):
    text = page.as_html(result_file.read(run / "result.json"), run)
    shown = Reader(text)
    assert not {"script", "link", "iframe", "object", "embed", "base", "form"} & {tag for tag, _ in shown.tags}
    for tag, facts in shown.tags:
        for name, value in facts.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href", "srcset", "action", "data"):
                assert (value or "").startswith(("data:image/png;base64,", "#")), (tag, name)
    assert "url(" not in text
    assert "@import" not in text
    policy = next(facts["content"] for tag, facts in shown.tags if facts.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    anchors = {facts["id"] for _, facts in shown.tags if "id" in facts}
    links = {facts["href"][1:] for tag, facts in shown.tags if tag == "a"}
    assert links == anchors - {"files"}


def test_it_suits_phones_dark_rooms_and_paper(run):
    text = page.as_html(result_file.read(run / "result.json"), run)
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    for words in (
        "prefers-color-scheme: dark",
        "@media print",
        "max-width: 40rem",
        "overflow-x: auto",
        "color-scheme: light dark",
    ):
        assert words in text


# ------------------------------------------------------------------------------------------------ Markdown


def test_markdown_holds_the_same(run, tmp_path):
    text = page.as_markdown(result_file.read(run / "result.json"), run, tmp_path / "sub" / "report.md")
    lines = text.splitlines()
    assert "![A picture](../picture.png)" in lines
    assert "| who | games | share % | effect points | q |" in lines
    assert "| one | 1,200 | 56.1 ± 2.0 | +6.1 ± 2.0 ● | \\< 0.001 |" in lines
    assert "| two | 7 | 0.0 (0.0 … 19.0) | −50.0 ± 40.0 | – |" in lines
    assert "**INCOMPLETE: 3 of 9 deals**" in lines
    assert "gosu-rl tournament tactics --agents '" + NASTY + "'" in lines
    for line in lines:
        if not line.startswith("gosu-rl tournament"):
            assert re.search(r"(?<!\\)<", line) is None, line
    for start in (place for place, line in enumerate(lines) if line.startswith("| ---")):
        width = lines[start].count("|")
        row = start - 1
        while row < len(lines) and lines[row].startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", lines[row])) == width
            row += 1
        assert lines[start - 2] == ""


def test_a_fence_is_longer_than_any_in_the_command(run):
    content = json.loads((run / "result.json").read_text(encoding="utf-8"))
    content["command"] = "gosu-rl winrates '```'"
    (run / "result.json").write_text(json.dumps(content), encoding="utf-8")
    assert "````sh\ngosu-rl winrates '```'\n````\n" in page.as_markdown(
        result_file.read(run / "result.json"), run, run / "a.md"
    )


# ------------------------------------------------------------------------------------------------ cells and files


def test_one_unit_stands_in_the_heading_and_decimals_suit_the_intervals():
    rows = [("a", Figure(Interval(0.50123, 0.5, 0.5026, 9))), ("b", Figure(Interval(0.4, 0.399, 0.401, 9)))]
    table = Table("t", ("x", "share"), rows)
    assert cells.headings(table) == ["x", "share %"]
    assert cells.as_text(table).splitlines()[2].split(maxsplit=1) == ["a", "50.12 ± 0.13"]
    assert cells.as_csv(table).splitlines() == [
        "x,share,share low,share high",
        "a,0.50123,0.5,0.5026",
        "b,0.4,0.399,0.401",
    ]


def test_what_is_written_is_read_back(run):
    found = result_file.read(run / "result.json")
    again = json.loads(result.as_json(found, gosu_rl.game("tactics")))
    assert again == json.loads((run / "result.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: "nothing", "not a result file"),
        (lambda content: [], "not a result file of gosu_rl"),
        (lambda content: {**content, "format": 2}, "result format 2, but this version of gosu_rl reads 1"),
        (lambda content: {key: content[key] for key in content if key != "tables"}, "damaged; 'tables' is missing"),
        (lambda content: {**content, "facts": 3}, "damaged; a part is of the wrong kind"),
        (lambda content: {**content, "tables": [{"title": "t", "columns": ["a"], "rows": [[1, 2]]}]}, "row that is not 1 cells"),
        (lambda content: {**content, "plots": [{"file": "../secret.png", "title": "t"}]}, "in the run folder itself"),
        (lambda content: {**content, "plots": [{"file": "notes.txt", "title": "t"}]}, "in the run folder itself"),
    ],
)  # fmt: skip
def test_damaged_files_are_one_line_and_2(run, change, words, capsys):
    path = run / "result.json"
    changed = change(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(changed if isinstance(changed, str) else json.dumps(changed), encoding="utf-8")
    assert main(["report", str(run)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert not (run / "report.html").exists()


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_writes_both_pages_into_the_run(run, capsys):
    assert main(["report", str(run)]) == 0
    assert (run / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "![A picture](picture.png)" in (run / "report.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"page:     {run}/report.html\nmarkdown: {run}/report.md\n"


def test_the_command_writes_only_what_is_asked_for(run, tmp_path, capsys, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: shown.append(address) or True)
    assert main(["report", str(run / "result.json"), "--html", str(tmp_path / "a.html"), "--open"]) == 0
    assert shown == [(tmp_path / "a.html").as_uri()]
    assert not (run / "report.md").exists()
    capsys.readouterr()
    assert main(["report", str(run), "--markdown", "-"]) == 0
    assert capsys.readouterr().out.startswith("# A run ")
    assert not (run / "report.html").exists()


def test_no_run_and_no_browser_are_one_line(run, tmp_path, capsys, monkeypatch):
    for words, message in (
        ([str(tmp_path / "none")], "there is no such run folder"),
        ([str(tmp_path.parent)], "holds no result.json"),
    ):
        assert main(["report", *words]) == 2
        told = capsys.readouterr().err
        assert message in told
        assert told.count("\n") == 1
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    assert main(["report", str(run), "--open"]) == 2
    assert "no browser was found" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------ a browser


def browse(path: Path, tmp_path: Path, *options: str) -> str:
    words = [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    words += [
        "--disable-background-networking",
        "--disable-component-update",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    words += [*options, path.as_uri()]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout


def part_of(picture: np.ndarray, colour: tuple[float, float, float]) -> float:
    return float((np.abs(picture[..., :3] - np.array(colour)).max(-1) < 0.02).mean())


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on the path to open the page in")
def test_a_real_browser_shows_it(run, tmp_path):
    """The embedded picture is drawn, in light and dark; nasty texts have become no elements; nothing runs off a narrow window."""
    assert main(["report", str(run), "--html", str(run / "report.html")]) == 0
    tree = browse(run / "report.html", tmp_path, "--dump-dom")
    assert "<script" not in tree
    assert tree.count("<img") == 1
    assert tree.count("<tbody>") == 3
    for name, options, paper in (
        ("light", ["--blink-settings=preferredColorScheme=1"], (0xFA / 255, 0xF9 / 255, 0xF6 / 255)),
        ("dark", ["--blink-settings=preferredColorScheme=0"], (0x15 / 255, 0x17 / 255, 0x1A / 255)),
    ):
        shot = tmp_path / f"{name}.png"
        browse(run / "report.html", tmp_path, f"--screenshot={shot}", "--window-size=520,2600", *options)
        picture = image.imread(shot)
        assert part_of(picture, paper) > 0.05, name
        magenta = round(part_of(picture, (1.0, 0.0, 1.0)) * picture.shape[0] * picture.shape[1])
        assert 0.9 * 40 * 60 < magenta <= 40 * 60, name  # but for its round corners
        # The sheets end before the right edge: a page that is too wide would reach it.
        assert part_of(picture[:, -4:], paper) == 1.0, name
