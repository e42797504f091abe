"""What the packaged GOSU set promises: the published facts, every verb, clans that differ, provenance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gosu_rl.cli.cards import markdown_lines
from gosu_rl.core.cards.load import dump, load, parse
from gosu_rl.core.cards.powers import GOSU_STEPS, program_faults
from gosu_rl.core.cards.sample import sample_set
from gosu_rl.core.cards.schema import BENDS, FIELDS, Card, CardSet

CLANS = ("Ancient", "Alpha", "Dark", "Méka", "Fire")
PAGE = Path(__file__).parents[2] / "docs" / "cards" / "gosu.md"


@pytest.fixture(scope="module")
def gosu() -> CardSet:
    return load("gosu")


def named(card_set: CardSet, name: str) -> Card:
    return next(card for card in card_set.cards if card.name == name)


def test_the_counts_are_the_published_ones(gosu: CardSet) -> None:
    assert (gosu.copies, len(gosu.cards)) == (100, 75)
    for clan in CLANS:
        kinds = Counter((card.level, card.copies, card.strength) for card in gosu.cards if card.clan == clan)
        assert kinds == {(1, 2, 2): 5, (2, 1, 3): 7, (3, 1, 5): 3}
    assert [card.copies for card in gosu.cards] == [2] * 25 + [1] * 50


def test_the_published_texts_are_kept(gosu: CardSet) -> None:
    walror, dynamite = named(gosu, "Walror"), named(gosu, "Dynamite")
    assert (walror.clan, walror.level, walror.win, set(walror.names)) == (
        "Fire",
        3,
        ("names",),
        {"Garsh", "Fact", "Ideo"},
    )
    assert dynamite.clan == "Fire"
    assert set(dynamite.names) == {"Fact", "Garsh", "Ideo", "Walror"}
    assert [gosu.powers[power] for power in dynamite.activate] == [
        ("take_back names", "if behind", "take_back names"),
        ("if advantage", "extra_turn 1"),
    ]
    for name in ("Garsh", "Fact", "Ideo"):
        card = named(gosu, name)
        assert (card.clan, card.level) == ("Fire", 2)
        assert [gosu.powers[power][0].split()[0] for power in card.enter] == ["destroy"]
    assert {card.name for card in gosu.cards if card.zombie} == {"Trsck", "Kataclysm", "Duwal"}
    assert all(named(gosu, name).clan == "Ancient" for name in ("Alikan", "Loya"))
    assert named(gosu, "Dom").activate


def test_what_is_published_says_so_and_all_else_is_reconstructed(gosu: CardSet) -> None:
    published = {
        (card.name, field)
        for card in gosu.cards
        for field in ("name", "clan", "enter", "activate", "win", "names")
        if gosu.field_provenance(card, field) == "published"
    }
    names = {name for name, field in published if field == "name"}
    assert names == {
        "Walror",
        "Garsh",
        "Fact",
        "Ideo",
        "Dynamite",
        "Trsck",
        "Kataclysm",
        "Duwal",
        "Alikan",
        "Loya",
        "Dom",
    }
    assert {name for name, field in published if field == "clan"} == names - {"Dom"}
    assert {(name, field) for name, field in published if field not in ("name", "clan")} == {
        ("Walror", "win"),
        ("Walror", "names"),
        ("Dynamite", "activate"),
        ("Dynamite", "names"),
        *((name, "enter") for name in ("Garsh", "Fact", "Ideo")),
    }
    assert gosu.is_reconstruction
    assert "reconstruction" in gosu.banner


def test_every_verb_and_every_step_occurs(gosu: CardSet) -> None:
    used = {
        power for card in gosu.cards for t in ("enter", "mutate", "activate", "departure") for power in getattr(card, t)
    }
    assert used == set(gosu.powers)
    words = {step.split()[0] for power in used for step in gosu.powers[power]}
    assert words == set(GOSU_STEPS)
    assert any(step.endswith("+1") for power in used for step in gosu.powers[power])
    assert not [fault for steps in gosu.powers.values() for fault in program_faults(steps, "gosu")]


def test_clans_do_what_their_flavours_say(gosu: CardSet) -> None:
    def share(clan: str, *words: str) -> float:
        steps = [
            step.split()[0]
            for card in gosu.cards
            if card.clan == clan
            for trigger in ("enter", "mutate", "activate")
            for power in getattr(card, trigger)
            for step in gosu.powers[power]
        ]
        return sum(step in words for step in steps) / len(steps)

    for clan, words in (
        ("Fire", ("destroy",)),
        ("Ancient", ("draw", "draw_per_clan", "reveal_keep", "fewest_points_draw")),
        ("Dark", ("take_back",)),
        ("Alpha", ("trap", "trap_or_release", "victim_discards")),
        ("Méka", ("take_advantage", "extra_turn", "regain_token")),
    ):
        assert share(clan, *words) > 0.3
        assert all(share(clan, *words) > share(other, *words) for other in CLANS if other != clan)


def test_the_page_shows_the_set(gosu: CardSet) -> None:
    page = PAGE.read_text("utf-8")
    assert "\n".join(markdown_lines(gosu)) in page
    assert all(f"| {bend} |" in page for bend in BENDS)


def test_it_is_written_and_read_back_equal(gosu: CardSet) -> None:
    again, faults = parse(dump(gosu))
    assert faults == []
    assert again == gosu
    assert again is not None
    assert again.hash == gosu.hash


@pytest.mark.parametrize("seed", range(20))
def test_sampled_sets_keep_the_published_counts(seed: int) -> None:
    card_set = sample_set("gosu", seed)
    assert (card_set.copies, len(card_set.cards)) == (100, 75)
    assert sum(card.zombie for card in card_set.cards) == 3
    assert {card.clan for card in card_set.cards if card.zombie} == {"Dark"}
    ozekis = [card for card in card_set.cards if card.level == 3]
    assert len({(card.rule, card.win) for card in ozekis}) == 15
    assert sample_set("gosu", seed) == card_set
    assert parse(dump(card_set))[1] == []


def edited(gosu: CardSet, card: str, old: str, new: str) -> list[str]:
    """Faults of the packaged set after one edit in the block of a card."""
    text = dump(gosu)
    block = next(part for part in text.split("\n\n") if f'name = "{card}"' in part and part.startswith("[[card]]"))
    assert old in block
    return parse(text.replace(block, block.replace(old, new, 1)), "mine.toml")[1]


@pytest.mark.parametrize(
    ("card", "old", "new", "words"),
    [
        ("Sparkler", 'enter = ["destroy 1"]', 'enter = ["destroy 4"]', "'destroy 4' is no power; did you mean 'destroy"),
        ("Sparkler", "copies = 2", "copies = 2\nlink = []", "'link': unknown"),
        ("Sparkler", "copies = 2", "copies = 2\nx = true", "'x': unknown"),
        ("Sparkler", "copies = 2", 'copies = 2\nrule = ["long reach"]', "rule: only an Ôzeki (level 3) can have it"),
        ("Walror", 'win = ["names"]', 'win = ["hand"]', "win: the condition 'hand' has 0 operands, 'hand' takes 1"),
        ("Walror", 'win = ["names"]', 'win = ["beheind"]', "'beheind' is no condition; did you mean 'behind'?"),
        ("Walror", '"Garsh", ', '"Gersh", ', "names: there is no card 'Gersh' in the set; did you mean 'Garsh'?"),
        ("Dynamite", 'names = ["Fact", "Garsh", "Ideo", "Walror"]\n', "", "names: missing, but its powers"),
        ("Spare Heart", "spare token", "spare tokn", "rule: 'spare tokn' is no rule that can be bent; did you mean 'spare token'?"),
        ("Scrap Queen", 'departure = ["toll"]', 'departure = ["draw 1"]', "departure: 'draw 1' asks somebody something (offer)"),
        ("Trsck", "zombie = true\n", "", "exactly 3 cards are zombies, all of them Heroes; the set has 2"),
        ("Sparkler", "strength = 2", "strength = 3", "the rulebook gives every Bakuto 2"),
    ],
)  # fmt: skip
def test_faults_are_told_in_one_line(gosu: CardSet, card: str, old: str, new: str, words: str) -> None:
    found = edited(gosu, card, old, new)
    assert any(words in fault for fault in found), found
    assert all("\n" not in fault for fault in found)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["offer", "draw 1 +0"], "must be +1 to +9"),
        (["destroy 2 +1"], "only draw, victim_discards, reveal_keep can have a (+n)"),
        (["draw 1", "if behind"], "'if' at the end guards nothing"),
        (["if weather", "draw 1"], "'weather' is no condition"),
        (["offer", "if behind", "destroy 1"], "no 'offer' before 'destroy'"),
        (["offer", "if behind", "if advantage", "swap"], "no 'offer' before 'swap'"),
        (["if clans 6", "draw 1"], "'6' in the condition 'clans 6' must be a whole number from 1 to 5"),
        (["if army 16", "draw 1"], "must be a whole number from 1 to 15"),
        (["if foes_army 15", "draw 1"], "must be a whole number from 0 to 14"),
        (["if foes_trapped 46", "draw 1"], "must be a whole number from 1 to 45"),
        (["if hand 0", "draw 1"], "must be a whole number from 1 to 120"),
        (["offer", "regain_token"], "no 'offer' before 'regain_token'"),
        (["take_back mine"], "'mine' in 'take_back mine' must be one of own, any, names"),
    ],
)
def test_faults_of_programs(steps: list[str], words: str) -> None:
    assert any(words in fault for fault in program_faults(steps, "gosu"))


@pytest.mark.parametrize(
    "steps",
    [["offer", "discard_own 1", "destroy 1"], ["offer", "if behind", "draw 1", "destroy 1"], ["if clans 5", "swap"]],
)
def test_an_offer_may_ask_about_a_price_and_an_if_needs_none(steps: list[str]) -> None:
    assert program_faults(steps, "gosu") == []


def test_entries_of_win_and_rule_stand_once(gosu: CardSet) -> None:
    from gosu_rl.core.cards import check

    for name, entries, shown in (
        ("win", ("hand 12", "hand  12"), "'hand 12'"),
        ("rule", ("wins ties", "wins ties"), "'wins ties'"),
    ):
        cards = tuple(replace(card, **{name: entries}) if card.name == "Walror" else card for card in gosu.cards)
        found = check.faults(replace(gosu, cards=cards))
        assert any(one.field == name and one.message == f"{shown} stands there twice" for one in found), found


def test_capital_letters_of_names_make_no_difference(gosu: CardSet) -> None:
    text = dump(gosu)
    assert '"Garsh"' in text.split("names = ", 1)[1]
    lines = [
        line.upper().replace("NAMES", "names") if line.startswith("names = [") else line for line in text.splitlines()
    ]
    assert lines != text.splitlines()
    card_set, faults = parse("\n".join(lines))
    assert faults == []
    assert card_set is not None
    assert card_set.hash == gosu.hash
    assert named(card_set, "Walror").names == named(gosu, "Walror").names


@pytest.mark.parametrize("steps", [["regain_token"], ["if behind", "draw 1"], ["draw 1 +1"], ["take_back names"]])
def test_tactics_knows_no_steps_of_gosu(steps: list[str]) -> None:
    assert program_faults(steps)


def test_cards_made_in_python_keep_to_their_game() -> None:
    from gosu_rl.core.cards import check

    card = Card("Odd", "Fire", 1, strength=2, activate=("draw",))
    faults = check.faults(CardSet("odd", "tactics", "t", "1", "free", (card,)))
    assert any(fault.field == "activate" and "no such field" in fault.message for fault in faults)
    linked = Card("Odd", "Fire", 1, strength=2, link=("toll",))
    faults = check.faults(CardSet("odd", "gosu", "t", "1", "free", (linked,), powers={"toll": ("draw 1",)}))
    assert any(fault.field == "link" for fault in faults)
    assert set(FIELDS["gosu"]) & set(FIELDS["tactics"])
