"""Every rule of the checker, each shown by the packaged set with one thing broken."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from gosu_rl.core.cards import check
from gosu_rl.core.cards.load import dump, load, parse
from gosu_rl.core.cards.schema import Card, CardFileError, CardSet

# card, old text, new text, field named by the first fault, words of its message
BROKEN = [
    (
        "Ember Whelp X",
        '"Fire"',
        '"Fier"',
        "clan",
        "'Fier' is no clan; did you mean 'Fire'? (Ancient, Alpha, Dark, Méka",
    ),
    ("Ember Whelp X", '"Fire"', '"Dark"', "clan", "'Dark', but the plain Bakuto of this name is 'Fire'"),
    ("Ashmaw", "level = 2", "level = 4", "level", "4 must be 1 (Bakuto), 2 (Hero) or 3 (Ôzeki)"),
    ("Ashmaw", "level = 2", "level = -1", "level", "-1 must be 1"),
    ("Ashmaw", "copies = 1", "copies = 3", "copies", "3 must be 1 or 2"),
    ("Ashmaw", "copies = 1", "copies = 2", "copies", "2, but the rulebook has 1 of every Hero"),
    ("Ember Whelp", "copies = 2", "copies = 1", "copies", "1, but the rulebook has 2 of every plain Bakuto"),
    ("Ember Whelp X", "copies = 1", "copies = 2", "copies", "an X has copies = 1, not 2"),
    ("Ashmaw", "strength = 3", "strength = 100", "strength", "100 must be 0 to 99"),
    ("Ashmaw", "strength = 3", "strength = -1", "strength", "-1 must be 0 to 99"),
    ("Ashmaw", "strength = 3", "strength = 5", "strength", "5, but the rulebook gives every Hero 3"),
    ("Ashmaw", "strength = 3", f"strength = {'9' * 4000}", "strength", "a number of 13288 bits must be 0 to 99"),
    ("Ashmaw", "mutation = 2", "mutation = 10", "mutation", "10 must be 0 to 9; leave it out for a card that cannot"),
    ("Ashmaw", "mutation = 2", "zombie = true\nmutation = 2", "zombie", "only Dark cards can have zombie mutation"),
    ("Nightsoil Baron", "mutation = 2", "", "zombie", "a zombie needs a mutation cost"),
    ("Sootcaller", "mutation = 1", "", "mutate", "a card with mutation powers needs a mutation cost"),
    ("Ashmaw", "level = 2", "level = 2\nx = true", "x", "only a Bakuto (level 1) can be an X, this card has level 2"),
    (
        "Ember Whelp X",
        '"Ember Whelp"',
        '"Ember Welp"',
        "name",
        "no plain Bakuto 'Ember Welp' that this could be the X of; did",
    ),
    ("Ashmaw", '"Ashmaw"', '"Sootcaller"', "name", "another card has this name"),
    ("Ashmaw", '"Ashmaw"', '"sootcaller"', "name", "another card has this name"),
    ("Ashmaw", '"Ashmaw"', '"Ashmaw X"', "name", "may not end in ' X'"),
    ("Ashmaw", '"Ashmaw"', '""', "name", "'' must be 1 to 40 characters"),
    ("Ashmaw", '"Ashmaw"', '"Ash, maw"', "name", "'Ash, maw' must be 1 to 40 characters"),
    ("Ashmaw", '"Ashmaw"', '"Ash  maw"', "name", "single blanks"),
    ("Ashmaw", '"Ashmaw"', '"Ash\\nmaw"', "name", r"'Ash\nmaw' must be"),
    ("Ashmaw", '"Ashmaw"', f'"{"A" * 41}"', "name", "must be 1 to 40 characters"),
    ("Ashmaw", '"destruction MAX"', '"destrution MAX"', "enter", "is no power; did you mean 'destruction MAX'?"),
    ("Ashmaw", '"destruction MAX"', '"offer"', "enter", "'offer' is no power (destruction, destruction MAX, trap,"),
    ("Ashmaw", '["destruction MAX"]', '["draw", "draw", "trap", "trap"]', "enter", "4 powers; at most 3 a trigger"),
    ("Ember Whelp X", 'link = ["draw"]', "", "link", "the rulebook gives every X a link power"),
    (
        "Ember Whelp X",
        'link = ["draw"]',
        'link = ["draw"]\nlinks = ["lefd"]',
        "links",
        "'lefd' is no side; did you mean 'left'?",
    ),
    (
        "Ember Whelp X",
        'link = ["draw"]',
        'link = ["draw"]\nlinks = []',
        "links",
        "a card with link powers needs a side",
    ),
    ("Ember Whelp X", 'link = ["draw"]', 'link = ["draw"]\nlinks = ["left", "left"]', "links", "names a side twice"),
    (
        "Ashmaw",
        "mutation = 2",
        'mutation = 2\nlinks = ["left"]',
        "links",
        "names sides, but the card has no link power",
    ),
    (
        "Ashmaw",
        "mutation = 2",
        'mutation = 2\nprovenance = { nam = "rulebook" }',
        "provenance 'nam'",
        "did you mean 'name'?",
    ),
    (
        "Ashmaw",
        "mutation = 2",
        'mutation = 2\nprovenance = { name = "guess" }',
        "provenance name",
        "'guess' must be one of",
    ),
    ("Ashmaw", "strength = 3", "strength = 3\nstrenght = 3", "'strenght'", "unknown; did you mean 'strength'?"),
    ("Ashmaw", "level = 2", 'level = "2"', "level", "'2' must be a whole number"),
    ("Ashmaw", "level = 2", "level = 2.0", "level", "2.0 must be a whole number"),
    ("Ashmaw", "copies = 1", "copies = true", "copies", "true must be a whole number"),
    ("Ashmaw", "level = 2", "", "level", "missing; write level = a whole number"),
    ("Ashmaw", "strength = 3", "", "strength", "missing"),
    ("Ashmaw", 'clan = "Fire"', "", "clan", 'missing; write clan = "…"'),
    ("Ashmaw", 'clan = "Fire"', "clan = 3", "clan", "3 must be a text in quotes"),
    ("Ember Whelp X", "x = true", "x = 1", "x", "1 must be true or false"),
    ("Ashmaw", '["destruction MAX"]', '"destruction MAX"', "enter", 'must be a list of texts: enter = ["…"]'),
    ("Ashmaw", '["destruction MAX"]', '["trap", 3]', "enter", "a list of 2 must be a list of texts"),
    ("Ashmaw", "mutation = 2", "mutation = 2\nprovenance = 3", "provenance", "3 must be a table"),
    (
        "Ashmaw",
        "mutation = 2",
        "mutation = 2\nprovenance = { name = 3 }",
        "provenance 'name'",
        "3 must be a text in quotes",
    ),
]


@pytest.mark.parametrize(("card", "old", "new", "field", "message"), BROKEN)
def test_a_broken_card_is_named_with_its_line_and_field(
    edited: Callable[..., list[str]], card: str, old: str, new: str, field: str, message: str
) -> None:
    found = edited(old, new, card)
    lines = [line for line in found if f", {field}: " in line and message in line]
    assert len(lines) == 1, found
    assert lines[0].startswith("mine.toml:")
    assert ": card '" in lines[0]
    assert lines[0].split(":")[1].isdigit()
    assert all(line.isprintable() and len(line) < 400 for line in found)


# old text, new text, start of the fault
BROKEN_HEADERS = [
    (
        'variant = "tactics"',
        'variant = "tactic"',
        "mine.toml: [set] variant: 'tactic' is no variant; did you mean 'tactics'?",
    ),
    ('variant = "tactics"', "", 'mine.toml: [set] variant: missing; write variant = "…"'),
    (
        'composition = "rulebook"',
        'composition = "fre"',
        "mine.toml: [set] composition: 'fre' must be 'rulebook' or 'free'",
    ),
    ('name = "tactics"', 'name = "My Set"', "mine.toml: [set] name: 'My Set' must be lower-case letters"),
    ('version = "1"', "version = 1", "mine.toml: [set] version: 1 must be a text in quotes"),
    ('version = "1"', 'version = ""', "mine.toml: [set] version: '' must be one line of 1 to 80 characters"),
    ('version = "1"', 'version = "1"\nvesrion = "1"', "mine.toml: [set] 'vesrion': unknown; did you mean 'version'?"),
    ("[set]", "[sets]", "mine.toml: 'sets': unknown; did you mean 'set'?"),
    ("format = 1", "", "mine.toml: format: missing; write format = 1 as the first line"),
    ("format = 1", "format = 2", "mine.toml: format: 2 must be 1"),
    ("format = 1", "format = true", "mine.toml: format: true must be 1"),
    (
        "[provenance]",
        '[provenance]\nname2 = "rulebook"',
        "mine.toml: [provenance] 'name2': is no field of a card; did you mean",
    ),
    ("[provenance]", "[provenance]\nlinks2 = 1", "mine.toml: provenance 'links2': 1 must be a text in quotes"),
    (
        "[sources]\nrulebook",
        "[sources]\nreconstructed",
        "mine.toml: [sources] rulebook: missing, but some fields say 'rulebook'",
    ),
    (
        "[sources]",
        '[sources]\nbook = "x"',
        "mine.toml: [sources] book: must be one of rulebook, published, reconstructed",
    ),
    (
        "[sources]",
        '[powers]\n"big draw" = ["draw 3"]\n[sources]',
        'mine.toml: [powers]: only a set with composition = "free"',
    ),
    ("[[card]]", "[card]", "mine.toml: broken TOML: "),
]


@pytest.mark.parametrize(("old", "new", "start"), BROKEN_HEADERS)
def test_a_broken_header_is_named(edited: Callable[..., list[str]], old: str, new: str, start: str) -> None:
    found = edited(old, new)
    assert found[0].startswith(start), found[:3]
    assert all(line.isprintable() for line in found)


# The step words, each wrong in one way.
BROKEN_PROGRAMS = [
    ([], "a power needs at least one step"),
    (["drawn 3"], "'drawn 3' is no step; did you mean 'draw'?"),
    ([""], "'' is no step"),
    (["draw"], "'draw' has 0 operands, 'draw' takes 1"),
    (["draw 1 2"], "'draw 1 2' has 2 operands, 'draw' takes 1"),
    (["draw 0"], "'0' in 'draw 0' must be one of 1, 2"),
    (["draw 10"], "'10' in 'draw 10' must be one of"),
    (["destroy 4"], "'4' in 'destroy 4' must be one of 1, 2, 3"),
    (["take_back mine"], "'mine' in 'take_back mine' must be one of own, any"),
    (["reveal_keep 2 3"], "'reveal_keep 2 3' keeps more cards than it reveals"),
    (["draw 1", "offer"], "'offer' can only be the first step"),
    (["offer"], "'offer' alone offers nothing"),
    (["offer", "destroy 2"], "no 'offer' before 'destroy'"),
    (["draw 1"] * 9, "9 steps; a power has at most 8"),
]


@pytest.mark.parametrize(("steps", "message"), BROKEN_PROGRAMS)
def test_a_broken_program_is_named(steps: list[str], message: str) -> None:
    found = [fault.at("mine.toml") for fault in check.faults(tiny(powers={"big draw": tuple(steps)}))]
    assert len(found) == 1
    assert found[0].startswith("mine.toml: [powers] 'big draw': ")
    assert message in found[0]


@pytest.mark.parametrize("name", ["Big Draw", "draw  big", "", "MAX", "x" * 41])
def test_a_power_name_must_be_plain_words(name: str) -> None:
    found = check.faults(tiny(powers={name: ("draw 1",)}))
    assert [fault.field for fault in found] == [f"[powers] {name[:60]!r}"]
    assert "lower-case words" in found[0].message


def test_the_rulebooks_powers_cannot_be_redefined() -> None:
    found = check.faults(tiny(powers={"draw MAX": ("draw 9",)}))
    assert [fault.message for fault in found] == [
        "this power is the rulebook's and stays as it is; give yours another name"
    ]


def test_too_many_powers_cards_and_copies() -> None:
    many = {f"p{number}": ("draw 1",) for number in range(65)}
    assert [fault.message for fault in check.faults(tiny(powers=many))] == ["65 powers; at most 64"]
    faces = [Card(f"Gob{number}", "Fire", 2) for number in range(89)]
    assert [fault.message for fault in check.faults(tiny(faces))] == ["the set has 89 faces, at most 88 are possible"]
    doubled = [Card(f"Gob{number}", "Fire", 2, copies=2) for number in range(61)]
    assert [fault.message for fault in check.faults(tiny(doubled))] == [
        "the set has 122 copies, at most 120 are possible"
    ]
    assert check.faults(tiny(faces[:88])) == []


def test_an_empty_set_is_refused() -> None:
    assert [fault.message for fault in check.faults(tiny([]))] == [
        "the set has no cards; write one [[card]] table a face"
    ]


def test_an_x_of_a_hero_is_refused() -> None:
    found = check.faults(tiny([Card("Gob", "Fire", 2), Card("Gob", "Fire", 1, x=True)]))
    assert [(fault.field, fault.message) for fault in found] == [
        ("x", "the plain card of this name has level 2; an X belongs to a Bakuto")
    ]


def test_a_free_set_skips_the_counts_and_uses_its_own_powers() -> None:
    card = Card(
        "Gob", "Dark", 1, strength=99, mutation=0, zombie=True, enter=("big draw",), link=("trap",), links=("left",)
    )
    free = tiny([card], powers={"big draw": ("offer", "draw 3")})
    assert check.faults(free) == []
    assert parse(dump(free)) == (free, [])


@pytest.mark.parametrize(
    ("label", "counts"),
    [
        ("Ashmaw", ["clan Fire has 3 cards of level 2 (Hero), the rulebook 4", "74 copies of 59 faces"]),
        ("Lady Scorchtooth", ["clan Fire has 1 cards of level 3 (Ôzeki), the rulebook 2", "74 copies of 59 faces"]),
        (
            "Ember Whelp",
            ["no plain Bakuto 'Ember Whelp'", "clan Fire has 2 plain Bakutos, the rulebook 3", "73 copies of 59"],
        ),
        ("Ember Whelp X", ["card 'Ember Whelp', x: this Bakuto has no X", "74 copies of 59 faces"]),
    ],
)
def test_a_missing_card_is_counted(
    tactics_text: str, card_text: Callable[[str], str], label: str, counts: list[str]
) -> None:
    found = parse(tactics_text.replace(card_text(label), ""))[1]
    assert len(found) == len(counts), found
    for line, part in zip(found, counts, strict=True):
        assert part in line


def test_a_card_moved_to_another_clan_is_counted_in_both(edited: Callable[..., list[str]]) -> None:
    found = edited('"Fire"', '"Dark"', "Ashmaw")
    assert [line.split(", the")[0] for line in found] == [
        "mine.toml: clan Dark has 5 cards of level 2 (Hero)",
        "mine.toml: clan Fire has 3 cards of level 2 (Hero)",
    ]


def test_all_faults_are_found_in_the_order_of_the_file(tactics_text: str) -> None:
    text = tactics_text.replace('clan = "Fire"', 'clan = "Fier"').replace("copies = 2", "copies = true", 1)
    found = parse(text, "mine.toml")[1]
    assert len(found) == 1 + 12  # one type fault, twelve faces of the clan
    numbers = [int(line.split(":")[1]) for line in found]
    assert numbers == sorted(numbers)


def test_check_raises_the_first_fault_and_counts_the_others() -> None:
    bad = tiny([Card("Gob", "Fier", 1), Card("Gab", "Fire", 9)])
    with pytest.raises(CardFileError, match=r"card set 'tiny': card 'Gob', clan: 'Fier' is no clan.*\(and 1 more\)$"):
        check.check(bad)
    assert check.faults(load("tactics")) == []
    check.check(load("tactics"))


def tiny(cards: list[Card] | None = None, powers: Mapping[str, tuple[str, ...]] | None = None) -> CardSet:
    """A small free set."""
    some = [Card("Gob", "Fire", 1, copies=2)] if cards is None else cards
    return CardSet("tiny", "tactics", "Tiny", "1", "free", tuple(some), powers or {})
