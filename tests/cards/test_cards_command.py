"""`gosu-rl cards …` as a user types it, through the parser that `gosu-rl` builds."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from gosu_rl.cli import cards
from gosu_rl.core.cards.load import dump, load, packaged
from gosu_rl.core.cards.sample import sample_set
from gosu_rl.core.cards.schema import CARD_FIELDS, CardFileError
from gosu_rl.core.gosu.tables import CODE
from gosu_rl.core.variants import game

pytestmark = pytest.mark.nojit

DOCS = Path(__file__).parents[2] / "docs" / "cards"


def command(*words: str) -> int:
    """Run `gosu-rl cards WORDS`; the exit status."""
    parser = argparse.ArgumentParser(prog="gosu-rl")
    cards.add_parser(parser.add_subparsers())
    args = parser.parse_args(["cards", *words])
    status = args.run(args)
    assert isinstance(status, int)
    return status


def test_list_says_that_the_packaged_set_is_a_reconstruction(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("list") == 0
    out = capsys.readouterr().out
    for name in packaged():
        assert f"{name}: {load(name).title}, version {load(name).version}, hash {load(name).hash}" in out
    assert "75 cards of 60 faces" in out
    assert "A RECONSTRUCTION, not the published cards; fields: 298 rulebook, 4 published, 418 reconstructed" in out


def test_show_lists_every_face_within_a_hundred_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("show", "tactics") == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == load("tactics").banner
    assert lines[1].startswith("A RECONSTRUCTION, not the published cards; fields: ")
    for card in load("tactics").cards:
        assert sum(line.startswith(f"  {card.label}  ") for line in lines) == 1, card.label
    # An X stands right behind its plain namesakes.
    assert out.index("  Ember Whelp  ") < out.index("  Ember Whelp X  ") < out.index("  Bombardier Blix  ")


def test_show_of_gosu_x_says_every_text_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("show", "gosu_x") == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 100
    for card in load("gosu_x").cards:
        assert sum(line.startswith(f"  {card.label}  ") for line in out.splitlines()) == 1, card.label
    assert "Phoenix: Value: your total at the Battle: +X (X: the number of cards in your hand)." in out
    assert command("show", "gosu_x", "quae") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "text other sacrifice to #{own} published" in out
    assert "Your opponent sacrifices cards until the army holds only X cards" in out


def test_sample_and_export_of_gosu_x_are_good_card_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sampled, exported = tmp_path / "sampled.toml", tmp_path / "mine.toml"
    assert command("sample", "gosu_x", "--seed", "7", "-o", str(sampled)) == 0
    assert command("export", "gosu_x", "-o", str(exported)) == 0
    assert command("check", str(sampled), str(exported)) == 0
    assert capsys.readouterr().out.count("good: 120 cards of 88 faces") == 2
    assert load(exported) == load("gosu_x")
    assert load(sampled) == sample_set("gosu_x", 7)


def test_show_of_long_names_and_many_powers_stays_within_a_hundred_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = dump(load("tactics")).replace("Ashmaw", "A" * 40)
    path = tmp_path / "mine.toml"
    path.write_text(
        text.replace('enter = ["destruction MAX"]', 'enter = ["destruction MAX", "advantage MAX", "return MAX"]'),
        encoding="utf-8",
    )
    assert command("show", str(path)) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 100
    assert out.count("return MAX") > 2


def test_show_one_card_gives_the_source_of_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("show", "tactics", "le prescient x") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Le Prescient X, of GOSU 2: Tactics")
    rows = {line.split()[0]: line.split()[-1] for line in lines if line.startswith("  ")}
    card_set = load("tactics")
    card = next(card for card in card_set.cards if card.label == "Le Prescient X")
    assert rows == {name: card_set.field_provenance(card, name) for name in CARD_FIELDS}
    assert rows["name"] == "published"
    assert any(line.startswith("published: ") for line in lines)


def test_show_of_an_unknown_card_names_the_nearest() -> None:
    with pytest.raises(CardFileError, match=r"^no card 'Ember Wehlp' in tactics .*; did you mean 'Ember Whelp'\?$"):
        command("show", "tactics", "Ember Wehlp")


def test_show_names_the_sides_of_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    text = dump(load("tactics")).replace(
        'link = ["destruction"]', 'link = ["destruction"]\nlinks = ["left", "above"]', 1
    )
    path.write_text(text, encoding="utf-8")
    assert command("show", str(path)) == 0
    assert "link (left, above): destruction" in capsys.readouterr().out


def test_check_lists_all_faults_and_its_status_says_whether_there_are_any(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(dump(load("tactics")), encoding="utf-8")
    bad.write_text(dump(load("tactics")).replace("strength = 5", "strength = 6"), encoding="utf-8")
    assert command("check", str(good)) == 0
    assert f"{good}: good: 75 cards of 60 faces, hash {load('tactics').hash}" in capsys.readouterr().out
    assert command("check", str(bad), str(good), str(tmp_path / "none.toml")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sum("the rulebook gives every Ôzeki 5" in line for line in lines) == 10
    assert f"{bad}: 10 faults" in lines
    assert f"{tmp_path / 'none.toml'}: 1 fault" in lines
    assert any(line.startswith(f"{good}: good") for line in lines)


def test_export_writes_a_file_that_loads_back_equal(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert command("export", "tactics") == 0
    printed = capfdbinary.readouterr().out
    (tmp_path / "printed.toml").write_bytes(printed)
    assert load(tmp_path / "printed.toml") == load("tactics")
    target = tmp_path / "mine.toml"
    assert command("export", "tactics", "-o", str(target)) == 0
    assert target.read_bytes() == printed


def test_export_overwrites_nothing_unless_told_to(tmp_path: Path) -> None:
    target = tmp_path / "mine.toml"
    target.write_text("mine")
    with pytest.raises(CardFileError, match=r"this file exists; give another name, or --force to overwrite it$"):
        command("export", "tactics", "-o", str(target))
    assert target.read_text() == "mine"
    assert command("export", "tactics", "-o", str(target), "--force") == 0
    assert load(target) == load("tactics")
    with pytest.raises(CardFileError, match=r"mine\.txt: a card file's name must end in \.toml$"):
        command("export", "tactics", "-o", str(tmp_path / "mine.txt"))


def test_sample_writes_the_set_of_its_seed(tmp_path: Path) -> None:
    target = tmp_path / "sample.toml"
    assert command("sample", "tactics", "--seed", "7", "-o", str(target)) == 0
    assert load(target) == sample_set("tactics", 7)
    with pytest.raises(CardFileError, match="seed -1 must be a whole number"):
        command("sample", "tactics", "--seed", "-1")


@pytest.mark.parametrize("words", [("-h",), ("show", "-h"), ("check", "-h"), ("export", "-h"), ("sample", "-h")])
def test_every_help_has_an_example(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command(*words)
    assert caught.value.code == 0
    assert "  gosu-rl cards " in capsys.readouterr().out


def test_the_document_shows_the_set_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/cards/tactics.md holds what `gosu-rl cards show tactics --markdown` prints."""
    assert command("show", "tactics", "--markdown") == 0
    page = (DOCS / "tactics.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out in page, "put what `gosu-rl cards show tactics --markdown` prints into the page"


def test_the_example_of_the_format_page_is_a_good_card_file(tmp_path: Path) -> None:
    page = (DOCS.parent / "cards.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    path = tmp_path / "example.toml"
    path.write_text(example, encoding="utf-8")
    card_set = load(path)
    assert [card.label for card in card_set.cards] == ["Ember Whelp", "Ember Whelp X", "Crypt Usher"]
    assert card_set.powers == {"big draw": ("offer", "draw 3")}


def test_check_says_what_the_tables_of_the_kernel_cannot_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sixty faces of three different powers of eight steps each: right one by one, too much together."""
    lines = ["format = 1", "[set]"]
    lines += [f'{key} = "{text}"' for key, text in
              (("name", "big"), ("variant", "gosu"), ("title", "Big"), ("version", "1"), ("composition", "free"))]  # fmt: skip
    lines += ["[powers]"]
    lines += [f'"p{k}" = {["draw 1"] * 8}' for k in range(60)]
    for k in range(60):
        powers = ", ".join(f"'p{(k + i) % 60}'" for i in range(3))
        lines += ["[[card]]", f'name = "Face {k}"', 'clan = "Fire"', "level = 1", "strength = 2", f"enter = [{powers}]"]
    path = tmp_path / "big.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    rows = 1 + 60 * (3 * 9 + 1)
    assert command("check", str(path)) == 1
    out = capsys.readouterr().out
    assert f"{path}: its powers need {rows} rows of code, more than {CODE}" in out
    assert f"{path}: 1 fault\n" in out
    assert "good" not in out


def test_check_says_how_to_play_a_set_of_few_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = tuple(replace(card, copies=1, names=(), win=()) for card in load("gosu").cards if card.clan == "Dark")
    few = replace(load("gosu"), name="few", composition="free", cards=cards[:9])
    path = tmp_path / "few.toml"
    path.write_text(dump(few), encoding="utf-8")
    assert command("check", str(path)) == 0
    out = capsys.readouterr().out
    assert "too few cards for two players, who are dealt 14: play it with --rules deal=4" in out
    assert game("gosu", cards=path, rules={"deal": 4}).new(1).as_dict()["draw_pile_size"] == 1
