"""What the packaged Tactics set promises: the rulebook's counts, every power on every trigger, honest provenance."""

from __future__ import annotations

from collections import Counter

import pytest

from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.powers import RULEBOOK_POWERS, built_in_programs, power_programs, program_faults
from gosu_rl.core.cards.schema import CARD_FIELDS, PROVENANCES, SIDES, TRIGGERS, CardSet

CLANS = ("Ancient", "Alpha", "Dark", "Méka", "Fire")


@pytest.fixture(scope="module")
def tactics() -> CardSet:
    return load("tactics")


def test_the_counts_are_the_rulebooks(tactics: CardSet) -> None:
    assert (tactics.copies, len(tactics.cards)) == (75, 60)
    assert tactics.composition == "rulebook"
    copies: Counter[int] = Counter()
    for card in tactics.cards:
        copies[card.level] += card.copies
        assert card.strength == {1: 2, 2: 3, 3: 5}[card.level]
    assert copies == {1: 45, 2: 20, 3: 10}
    for clan in CLANS:
        cards = [card for card in tactics.cards if card.clan == clan]
        kinds = Counter((card.level, card.x, card.copies) for card in cards)
        assert kinds == {(1, False, 2): 3, (1, True, 1): 3, (2, False, 1): 4, (3, False, 1): 2}
    assert [card.copies for card in tactics.cards] == [2] * 15 + [1] * 45


def test_every_power_occurs_on_every_trigger(tactics: CardSet) -> None:
    used = Counter(
        (power, trigger) for card in tactics.cards for trigger in TRIGGERS for power in getattr(card, trigger)
    )
    assert set(used) == {(power, trigger) for power in RULEBOOK_POWERS for trigger in TRIGGERS}


def test_an_x_can_do_all_its_plain_namesakes_can_and_links(tactics: CardSet) -> None:
    plain = {card.name: card for card in tactics.cards if card.level == 1 and not card.x}
    crossed = [card for card in tactics.cards if card.x]
    assert {card.name for card in crossed} == set(plain)
    for card in crossed:
        twin = plain[card.name]
        assert (card.clan, card.mutation, card.zombie, card.enter, card.mutate) == (
            (twin.clan, twin.mutation, twin.zombie, twin.enter, twin.mutate)
        )
        assert len(card.link) == 1
        assert twin.link == ()


@pytest.mark.ruling("T28")
def test_costs_vary_and_zombies_are_dark(tactics: CardSet) -> None:
    assert {card.mutation for card in tactics.cards} == {None, 0, 1, 2, 3}
    zombies = [card for card in tactics.cards if card.zombie]
    assert len(zombies) >= 5
    assert {card.clan for card in zombies} == {"Dark"}
    # T28: only an owner's own cards name fewer sides.
    assert all(card.links == SIDES for card in tactics.cards)


def test_every_field_says_where_it_comes_from(tactics: CardSet) -> None:
    assert set(tactics.provenance) == set(CARD_FIELDS)
    assert set(tactics.provenance.values()) <= set(PROVENANCES)
    for name in ("copies", "strength", "level", "x", "links"):
        assert tactics.provenance[name] == "rulebook"
    for name in ("name", "clan", "mutation", "zombie", "enter", "link", "mutate"):
        assert tactics.provenance[name] == "reconstructed"
    published = {card.label for card in tactics.cards if tactics.field_provenance(card, "name") == "published"}
    assert published == {"Le Prescient", "Le Prescient X"}
    assert all(tactics.sources[word] for word in ("rulebook", "published"))
    assert tactics.is_reconstruction
    assert "a reconstruction, not the published cards" in tactics.banner


def test_the_built_in_programs_are_the_seven_powers_in_both_modes(tactics: CardSet) -> None:
    assert power_programs(tactics) == {
        "destruction": ("destroy 2",),
        "destruction MAX": ("swap", "destroy 3"),
        "trap": ("trap 2",),
        "trap MAX": ("trap_or_release 3",),
        "discard": ("victim_discards 1",),
        "discard MAX": ("offer", "all_discard_half"),
        "draw": ("offer", "draw 1"),
        "draw MAX": ("offer", "draw_per_clan"),
        "vision": ("offer", "reveal_keep 5 1"),
        "vision MAX": ("offer", "reveal_keep 5 2"),
        "return": ("take_back own",),
        "return MAX": ("take_back any",),
        "advantage": ("offer", "take_advantage", "extra_turn 1"),
        "advantage MAX": ("offer", "fewest_points_draw 2", "take_advantage", "extra_turn 1"),
    }
    assert tuple(built_in_programs()) == RULEBOOK_POWERS
    for steps in built_in_programs().values():
        assert program_faults(steps) == []


def test_a_sets_own_powers_come_behind_the_built_in_ones() -> None:
    own = CardSet("a", "tactics", "A", "1", "free", (), {"big draw": ("offer", "draw 3")})
    assert list(power_programs(own)) == [*RULEBOOK_POWERS, "big draw"]
    assert power_programs(own)["big draw"] == ("offer", "draw 3")
