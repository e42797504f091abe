"""What the packaged set of Epic Death promises, and what the checker says of broken ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gosu_rl.cli.cards import markdown_lines
from gosu_rl.core.cards.epic_schema import TRAITS, EpicSet
from gosu_rl.core.cards.epic_steps import STEPS
from gosu_rl.core.cards.load import dump, load, parse
from gosu_rl.envs.epic_text import TRAITS as TRAIT_TEXTS
from gosu_rl.envs.epic_text import card_line, steps_text

NEWER = (
    "discard_random", "machine_off", "kill_toss", "swap_armies", "retreat_now", "turn_up", "swap_lands", "no_combat", "guard",
)  # fmt: skip
PAGE = Path(__file__).parents[2] / "docs" / "cards" / "epic_death.md"


@pytest.fixture(scope="module")
def epic() -> EpicSet:
    found = load("epic_death")
    assert isinstance(found, EpicSet)
    return found


def test_the_counts_are_the_rulebooks(epic: EpicSet) -> None:
    assert (epic.copies, len(epic.leaders), epic.land_copies) == (50, 12, 58)
    assert Counter(card.kind for card in epic.cards for _ in range(card.copies)) == {
        "machine": 12,
        "hero": 14,
        "action": 24,
    }
    assert [layout.name for layout in epic.layouts] == ["short", "medium", "long"]
    assert [card.copies for card in epic.cards] == sorted((card.copies for card in epic.cards), reverse=True)


def test_the_rulebooks_values_are_kept_and_say_so(epic: EpicSet) -> None:
    values = {card.name: card.value for card in epic.cards}
    assert {name: values[name] for name in ("Battering Ram", "Cannon", "Assassin", "Cavalier")} == {
        "Battering Ram": 3, "Cannon": 5, "Assassin": 2, "Cavalier": 4,
    }  # fmt: skip
    defenses = {land.name: land.defense for land in epic.lands}
    assert {name: defenses[name] for name in ("Arcane Archer", "Lego-Las", "First Level Thief")} == {
        "Arcane Archer": 11, "Lego-Las": 10, "First Level Thief": 5,
    }  # fmt: skip
    facts = {
        entry.label: {name for name in epic.fields_of(entry) if epic.field_provenance(entry, name) == "rulebook"}
        for entry in epic.entries
    }
    assert facts["Cannon"] == {"name", "kind", "value"}
    assert facts["Lego-Las"] == {"name", "defense"}
    assert sum(map(bool, facts.values())) == 7
    assert epic.is_reconstruction
    assert "a reconstruction" in epic.banner


def test_every_trait_and_most_steps_are_used_and_have_words(epic: EpicSet) -> None:
    used = {entry.trait for entry in (*epic.cards, *epic.leaders)}
    assert used - {""} == set(TRAITS) == set(TRAIT_TEXTS)
    said = {step.split()[0] for card in epic.cards for step in card.steps}
    said |= {step.split()[0] for leader in epic.leaders for step in leader.ability}
    said |= {step.split()[0] for land in epic.lands for step in (*land.icons, *land.text)}
    assert set(STEPS) - said == {"steal_conquest", *NEWER}, "tests/rulings_epic_death has them on cards"
    for word, step in STEPS.items():
        for operand in step.operand or ("",):
            assert steps_text([f"{word} {operand}".strip()])
    for entry in (*epic.cards, *epic.leaders, *epic.lands):
        assert len(card_line(entry)) > 3


def test_a_set_is_written_and_read_again(epic: EpicSet) -> None:
    again, faults = parse(dump(epic))
    assert faults == []
    assert again == epic
    assert again is not None
    assert again.hash == epic.hash


BROKEN = {
    ('kind = "machine"', 'kind = "wagon"'): "card 'Battering Ram', kind: 'wagon' must be one of action, machine, hero",
    (
        "copies = 2\nvalue = 3\ncost = 1",
        "copies = 3\nvalue = 3\ncost = 1",
    ): "card 'Battering Ram', copies: 3 must be 1 to 2",
    ("value = 3\ncost = 1", "value = 3\ncost = 0"): "card 'Battering Ram', cost: 0 must be 1 to 9",
    (
        'steps = ["attack 2"]',
        'steps = ["atack 2"]',
    ): "card 'War Cry', steps: 'atack 2' is no step here; did you mean 'attack'",
    ('steps = ["attack 2"]', 'steps = ["attack"]'): "card 'War Cry', steps: 'attack' has 0 operands, 'attack' takes 1",
    ('steps = ["attack 2"]', "steps = []"): "card 'War Cry', steps: missing; an Action does something",
    (
        'steps = ["move"]',
        'steps = ["defense 2"]',
    ): "card 'Short Cut', when: 'defense 2' cannot be used in the window 'a'",
    ('when = ["answer"]', 'when = ["answer", "a"]'): "'cancel' cannot be used in the window 'a', only in answer",
    ('trait = "forager"', 'trait = "forage"'): "leader 'Baron Blurp', trait: 'forage' must be one of",
    ('trait = "forager"', ""): "leader 'Baron Blurp', trait: the rulebook gives every Leader an ability",
    (
        'terrain = "Town"',
        'terrain = "City"',
    ): "land 'Town Hall', terrain: 'City' must be one of Woods, River, Wall, Town",
    ('icons = ["gain 1"]', 'icons = ["move"]'): "land 'Lost Shepherd', icons: 'move' is no step here",
    ('needs = "hero"', 'needs = "king"'): "land 'Drawbridge Crew', needs: 'king' must be one of hero, machine",
    ("+ ~ # ~ a", "+ ~ # ~ +"): "layout 'short', starts: no start a stands on the field",
    (". b ~ + .", ". b ~ + a"): "layout 'short', rows: start 'a' stands on 2 spaces",
    ('name = "Poacher"', 'name = "Forester"'): "land 'Forester', name: another entry has this name",
    ("copies = 8\n", "copies = 9\n"): "the set has 59 Lands, the rulebook 58",
    ('title = "Goblins', 'colour = "green"\ntitle = "Goblins'): "[set] 'colour': unknown",
    ("[[leader]]\n", "[[captain]]\n"): "'captain': unknown",
}


@pytest.mark.parametrize("change", BROKEN)
def test_a_broken_set_is_refused_with_the_place(change: tuple[str, str], epic: EpicSet) -> None:
    text = dump(epic)
    assert change[0] in text
    found = parse(text.replace(*change, 1), "mine.toml")[1]
    assert any(BROKEN[change] in fault for fault in found), found
    assert all(fault.startswith("mine.toml") and "\n" not in fault for fault in found)


def test_cards_that_answer_are_few_enough_for_the_stack(epic: EpicSet) -> None:
    text = dump(epic).replace('composition = "rulebook"', 'composition = "free"')
    more = "".join(
        f'\n[[card]]\nname = "Nay {letter}"\nkind = "action"\ncopies = 2\nwhen = ["answer"]\nsteps = ["cancel"]\n'
        for letter in "ABCD"
    )
    assert parse(text + more, "mine.toml")[1] == [
        "mine.toml: the set has 10 cards that answer Actions, at most 8 are possible"
    ]


def test_the_page_shows_the_set_as_it_is(epic: EpicSet) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for line in markdown_lines(epic):
        assert line in page
