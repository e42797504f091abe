"""Reading and writing card files: round trips, and one clear line for every file that cannot be used."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from how_often import times_more
from hypothesis import given, settings
from hypothesis import strategies as st

from gosu_rl.core.cards import check
from gosu_rl.core.cards.load import MAX_BYTES, dump, find_faults, load, packaged, parse
from gosu_rl.core.cards.powers import RULEBOOK_POWERS
from gosu_rl.core.cards.schema import CARD_FIELDS, PROVENANCES, SIDES, Card, CardFileError, CardSet


def test_a_packaged_set_and_its_export_are_equal(tmp_path: Path, tactics_text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(tactics_text, encoding="utf-8")
    packaged_set, mine = load("tactics"), load(path)
    assert mine == packaged_set
    assert mine.hash == packaged_set.hash
    assert mine.path == str(path)
    assert packaged_set.path == ""
    assert load(str(path)) == mine
    assert dump(mine) == tactics_text


def test_packaged_names_leave_out_the_powers() -> None:
    assert "tactics" in packaged()
    assert "powers" not in packaged()
    for name in packaged():
        assert load(name).name == name


def test_faces_are_ordered_doubled_first_and_in_file_order() -> None:
    text = dump(set_of([Card("A", "Fire", 2), Card("B", "Fire", 1, copies=2), Card("C", "Fire", 2)]))
    card_set = parse(text)[0]
    assert card_set is not None
    assert [card.name for card in card_set.cards] == ["B", "A", "C"]


def test_windows_line_ends_a_byte_order_mark_and_decomposed_letters_are_read(tmp_path: Path, tactics_text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + tactics_text.replace("Méka", "Me\u0301ka").replace("\n", "\r\n").encode())
    assert load(path) == load("tactics")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "mine.toml: format: missing; write format = 1 as the first line"),
        (b"format = ", "mine.toml: broken TOML: Invalid value (at end of document)"),
        (b"format = 1\nset = oops", "mine.toml: broken TOML: Invalid value (at line 2, column 7)"),
        (b"format = 1\nformat = 1", "mine.toml: broken TOML: Cannot overwrite a value (at "),
        (b"x = " + b"9" * 5000, "mine.toml: broken TOML: a number of more than 4300 digits"),
        (b"x = " + b"[" * 20000, "mine.toml: broken TOML: "),
        (b"format = 0x" + b"f" * 9000, "mine.toml: format: a number of 36000 bits must be 1"),
        (b"format = 1\n# Ma\xeetre", "mine.toml:2: not UTF-8 text (byte 0xee); save the file as UTF-8"),
        (b"\xff\xfef\0o\0", "mine.toml:1: not UTF-8 text (byte 0xff); save the file as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "mine.toml: larger than 1,000,000 bytes, no card file"),
        (b"format = 1\nset = 3", "mine.toml: set: 3 must be a table"),
        (b"format = 1\ncard = 3\n[set]", "mine.toml: card: write one [[card]] table a face, with two brackets"),
        (b"format = 1\ncard = [3]\n[set]", "mine.toml: [set] name: missing"),
        (b"format = 1\npowers = 3\n[set]", "mine.toml: powers: 3 must be a table"),
        (b"format = 1\n[set]\n[powers]\nx = 3", 'mine.toml: [powers] x: 3 must be a list of texts: x = ["…"]'),
    ],
)
def test_a_file_that_is_no_card_file(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "mine.toml").write_bytes(content)
    found = find_faults(tmp_path / "mine.toml")
    assert error_of(tmp_path / "mine.toml").startswith(found[0])
    assert any(message in fault for fault in found), found
    assert all(fault.isprintable() and len(fault) < 400 for fault in found)


def test_sources_that_are_no_file(tmp_path: Path) -> None:
    assert error_of(tmp_path / "no.toml").endswith("no.toml: cannot read this card file: No such file or directory")
    (tmp_path / "folder.toml").mkdir()
    assert error_of(tmp_path / "folder.toml").endswith("folder.toml: cannot read this card file: Is a directory")
    assert error_of("tactcs").endswith("or give a path that ends in .toml; did you mean 'tactics'?")
    assert error_of("").startswith("no card set '': packaged are ")
    assert error_of("powers").startswith("no card set 'powers': packaged are ")
    assert error_of("a\0.toml").startswith(r"'a\x00.toml': no path of a card file")
    assert error_of("a\nb.toml").startswith(r"'a\nb.toml': cannot read this card file")
    assert error_of(os.fsencode("x.toml")).endswith("give a name or a path as text")
    (tmp_path / "cards.txt").write_text("format = 1")
    assert error_of(tmp_path / "cards.txt").endswith("a card file's name must end in .toml")


def test_the_first_fault_counts_the_others_and_says_where_they_are_listed(tmp_path: Path, tactics_text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(tactics_text.replace("strength = 5", "strength = 6"), encoding="utf-8")
    line = error_of(path)
    assert ", strength: 6, but the rulebook gives every Ôzeki 5 (and 9 more; gosu-rl cards check " in line
    assert line.endswith(f"{path} lists all)")
    assert len(find_faults(path)) == 10


def test_the_line_is_left_out_where_it_is_not_sure(tactics_text: str) -> None:
    note = "[set]\nnotes = '''\n[[card]]\n'''\n"
    text = tactics_text.replace("strength = 5", "strength = 6", 1).replace("\nnotes = ", "\n#").replace("[set]\n", note)
    found = parse(text, "mine.toml")[1]
    assert len(found) == 1
    assert found[0].startswith("mine.toml: card '")


NAMES = st.from_regex(check.NAME, fullmatch=True).filter(
    lambda name: len(name) <= 40 and not name.endswith(" X") and name.isprintable()
)
POWERS = st.lists(st.sampled_from((*RULEBOOK_POWERS, "big draw")), max_size=3).map(tuple)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


@st.composite
def free_sets(draw: st.DrawFn) -> CardSet:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique_by=str.casefold))
    cards = []
    for name in names:
        clan = draw(st.sampled_from(("Ancient", "Alpha", "Dark", "Méka", "Fire")))
        mutation = draw(st.none() | st.integers(0, 9))
        link = draw(POWERS)
        sides = draw(st.lists(st.sampled_from(SIDES), min_size=1, unique=True)) if link else SIDES
        card = Card(
            name=unicodedata.normalize("NFC", name),
            clan=clan,
            level=draw(st.integers(1, 3)),
            copies=draw(st.integers(1, 2)),
            strength=draw(st.integers(0, 99)),
            mutation=mutation,
            zombie=clan == "Dark" and mutation is not None and draw(st.booleans()),
            enter=draw(POWERS),
            link=link,
            mutate=draw(POWERS) if mutation is not None else (),
            links=tuple(sides),
            provenance=draw(st.dictionaries(st.sampled_from(CARD_FIELDS), st.sampled_from(PROVENANCES))),
        )
        cards.append(card)
    sources = {word: "x" + draw(TEXTS) for word in PROVENANCES}
    powers = {"big draw": ("offer", "draw 3")}
    return CardSet("any", "tactics", "Any", "1", "free", tuple(cards), powers, {}, sources, draw(TEXTS))


@settings(max_examples=25 * times_more(), deadline=None)
@given(free_sets())
def test_every_good_set_survives_writing_and_reading(card_set: CardSet) -> None:
    if check.faults(card_set):  # two names can be alike once composed
        return
    again, found = parse(dump(card_set))
    assert found == []
    assert again == card_set
    assert again is not None
    assert again.hash == card_set.hash


@settings(max_examples=25 * times_more(), deadline=None)
@given(st.data())
def test_no_edit_of_a_good_file_breaks_the_reader(data: st.DataObject) -> None:
    """Cutting, doubling or overwriting a stretch gives a set or faults of one line each, never another error."""
    text = dump(load("tactics"))
    start = data.draw(st.integers(0, len(text) - 1))
    stop = data.draw(st.integers(start, min(len(text), start + 60)))
    patch = data.draw(
        st.text(max_size=8) | st.sampled_from(("[[card]]", "true", "-1", '"Fire"', "{}", "[]", "1e9", "nan"))
    )
    card_set, found = parse(text[:start] + patch + text[stop:], "mine.toml")
    assert found or card_set is not None
    for line in found:
        assert line.startswith("mine.toml")
        assert line.isprintable()


def error_of(source: object) -> str:
    """The message of loading `source`: one printable line."""
    with pytest.raises(CardFileError) as caught:
        load(source)  # type: ignore[arg-type]
    line = str(caught.value)
    assert line.isprintable()
    return line


def set_of(cards: list[Card]) -> CardSet:
    return CardSet("tiny", "tactics", "Tiny", "1", "free", tuple(cards))


def test_the_hash_sees_play_and_nothing_else() -> None:
    base = CardSet("a", "tactics", "A", "1", "free", (Card("Gob", "Fire", 1, strength=2),))
    same = CardSet(
        "b", "tactics", "B", "2", "free", (Card("Gob", "Fire", 1, strength=2, provenance={"name": "published"}),)
    )
    other = CardSet("a", "tactics", "A", "1", "free", (Card("Gob", "Fire", 1, strength=3),))
    assert base.hash == same.hash
    assert base.hash != other.hash
    assert len(base.hash) == 12


def test_a_set_is_a_reconstruction_until_every_field_is_a_fact() -> None:
    all_fields = dict.fromkeys(CARD_FIELDS, "published")
    facts = CardSet("a", "tactics", "A", "1", "free", (Card("Gob", "Fire", 1),), {}, all_fields)
    assert not facts.is_reconstruction
    assert "published cards" in facts.banner
    one_guess = CardSet(
        "a",
        "tactics",
        "A",
        "1",
        "free",
        (Card("Gob", "Fire", 1, provenance={"clan": "reconstructed"}),),
        {},
        all_fields,
    )
    assert one_guess.is_reconstruction
    assert "a reconstruction, not the published cards" in one_guess.banner
