"""Actions and abilities: where they may be played, how they are answered, and what their steps do.

Card texts of Lands are carried out here too: they are steps like any other.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from . import conditions, field_steps, fight_steps
from .cards import Step
from .table import Choices, Decision, Machine, Table, ask

_Verdict = Generator[Decision, str, bool]
_Number = Generator[Decision, str, int]
_Subject = Generator[Decision, str, int | None]
_Machine = Generator[Decision, str, Machine]


def playable(table: Table, player: int, window: str) -> set[str]:
    """Names of the Actions of a hand that belong into a window."""
    cards = table.cards.cards
    return {card.name for card in table.seats[player].hand if window in cards[card.name].when}


def ability_ready(table: Table, player: int, window: str) -> bool:
    """At most once a turn, in the menus that the Leader names (E33); cards that it discards first are its price."""
    seat = table.seats[player]
    leader = table.cards.leaders[seat.leader]
    if not leader.ability or window not in leader.when or seat.ability_used:
        return False
    first = leader.ability[0]
    unpaid = first.word == "discard" and len(seat.hand) < first.number
    table.saw("E33 an ability that begins with a discard needs the cards", unpaid)
    return not unpaid


def use_ability(table: Table, player: int) -> Choices:
    seat = table.seats[player]
    seat.ability_used = True
    table.saw("E33 an ability is used")
    yield from carry_out(table, player, seat.leader, table.cards.leaders[seat.leader].ability, is_action=False)


# --- windows -------------------------------------------------------------------------------------------------------


def ask_window(table: Table, window: str) -> Choices:
    """Before a comparison: everybody with a card in hand, clockwise from the active player, until all have declined in
    a row; behind one who plays it goes on with the next (E30). Or until an Action has ended the combat (E58)."""
    declined = 0
    player = table.active
    while declined < len(table.seats):
        declined += 1
        if table.seats[player].hand and _kept_off(table, player):
            table.saw(f"E61 a guard keeps another's Actions out of a {window}")
        elif table.seats[player].hand:
            options = playable(table, player, window)
            table.saw("E30 asked without anything to play", not options)
            table.saw("E30 an Action with a Defense in it stays out of a Fray", window == "fray" and not options
                      and playable(table, player, "combat"))  # fmt: skip
            answer = yield Decision(player, "window", frozenset({"pass", *(f"play {name}" for name in options)}))
            if answer != "pass":
                table.saw(f"E30 an Action before the comparison of a {window}")
                table.saw(
                    "E30 played by who does not fight", player not in (table.combat.fighters if table.combat else [])
                )
                yield from play_action(table, player, answer.removeprefix("play "))
                declined = 0
                if table.combat is None:
                    return
        else:
            table.saw("E30 an empty hand counts as a decline")
        player = (player + 1) % len(table.seats)


def _kept_off(table: Table, player: int) -> bool:
    """Somebody else's Actions have no place in the combat or Fray of a guarded Army: he is not asked (E61)."""
    assert table.combat is not None
    fighters = table.combat.fighters
    return player not in fighters and any(table.seats[fighter].guarded for fighter in fighters)


def ask_after_toss(table: Table, player: int) -> Choices:
    """Once after all of one's tosses, if a token has died and the set has Actions for that moment (E30, E43)."""
    assert table.combat is not None
    seat = table.seats[player]
    if not table.combat.fallen[player] or not table.cards.has_window("toss"):
        return
    if not seat.hand:
        table.saw("E30 an empty hand is not asked after a toss")
        return
    options = playable(table, player, "toss")
    answer = yield Decision(player, "after_toss", frozenset({"pass", *(f"play {name}" for name in options)}))
    if answer != "pass":
        table.saw("E43 an Action after one's tosses")
        yield from play_action(table, player, answer.removeprefix("play "))


def play_action(table: Table, player: int, name: str) -> Choices:
    """Announced, answered, carried out step by step; it lies aside meanwhile (E39)."""
    carried = yield from _announce(table, player, name)
    if carried:
        yield from carry_out(table, player, name, table.cards.cards[name].steps, is_action=True)
    table.set_aside.remove(name)
    table.discard_pile.append(name)


def _announce(table: Table, player: int, name: str) -> _Verdict:
    """Puts the Action aside and asks all others once for an answer; is it to be carried out (E31)?"""
    table.leave_hand(player, name)
    table.set_aside.append(name)
    if not table.cards.has_window("answer"):
        return True
    for other in table.others(player):
        if not table.seats[other].hand:
            table.saw("E31 an empty hand is not asked to answer")
            continue
        options = playable(table, other, "answer")
        answer = yield Decision(other, "answer", frozenset({"pass", *(f"play {card}" for card in options)}))
        if answer == "pass":
            continue
        cancel = answer.removeprefix("play ")
        carried = yield from _announce(table, other, cancel)
        table.set_aside.remove(cancel)
        table.discard_pile.append(cancel)
        if carried and _cancels(table, other, cancel):
            table.saw("E31 an Action is cancelled")
            table.saw("E31 a cancel is cancelled", table.cards.cards[name].steps[0].word == "cancel")
            return False
        table.saw("E31 a cancelled answer: the asking goes on", other != table.others(player)[-1])
    return True


# --- steps ---------------------------------------------------------------------------------------------------------


def _cancels(table: Table, player: int, name: str) -> bool:
    """Does a `cancel` that was not answered cancel? Not if its condition does not hold (E62)."""
    step = table.cards.cards[name].steps[0]
    holds = conditions.holds(table, player, step.condition)
    table.saw("E62 a cancel with a condition that does not hold", not holds)
    return holds


def carry_out(table: Table, player: int, card: str, steps: Sequence[Step], *, is_action: bool) -> Choices:
    """Step by step; targets are chosen, and conditions looked at, when the step comes (E39, E62). The subject is the
    player or whom he last named; with nobody to name there is none, and what is about him is not done (E61)."""
    subject: int | None = player
    outer = table.effect
    for step in steps:
        if subject is None and step.word != "choose":
            continue
        about = player if subject is None else subject
        if not conditions.holds(table, about, step.condition):
            continue
        table.effect = (card, step, about)
        if step.word == "choose":
            subject = yield from _choose(table, player, step.what, is_action=is_action)
        else:
            yield from _carry_out_step(table, player, about, step, is_action=is_action)
    table.effect = outer


def _open_to(table: Table, player: int, named: Iterable[int], *, is_action: bool) -> list[int]:
    """Whom of these the player may name: for an Action nobody else who is guarded (E61)."""
    return [other for other in named if other == player or not (is_action and table.seats[other].guarded)]


def _choose(table: Table, player: int, whom: str, *, is_action: bool) -> _Subject:
    """Who is named; None if nobody can be."""
    if whom == "other":  # himself only if the card says "any" (E33)
        candidates = table.others(player)
    elif whom == "any":
        candidates = table.clockwise(player)
    else:
        candidates = [] if table.combat is None else table.combat.fighters
        table.saw("E58 no fighter to name any more", not candidates)
    allowed = _open_to(table, player, candidates, is_action=is_action)
    table.saw("E61 a guarded player cannot be named", len(allowed) < len(candidates))
    if not allowed:
        table.saw("E61 nobody can be named", candidates)
        return None
    named = yield from _name_player(table, player, allowed)
    table.saw("E33 a player names himself", named == player)
    return named


def _name_player(table: Table, player: int, candidates: Sequence[int]) -> _Number:
    name = yield from ask(
        table, player, "victim", "player", [f"p{candidate}" for candidate in candidates], "E42 a player is named"
    )
    return int(name.removeprefix("p"))


def _carry_out_step(table: Table, player: int, subject: int, step: Step, *, is_action: bool) -> Choices:
    number = step.number or 1
    match step.word:
        case "gain":
            table.gain(subject, number)
        case "draw":
            table.draw(subject, number)
        case "lose":
            yield from lose_tokens(table, subject, number)
        case "discard":
            yield from discard_cards(table, subject, number)
        case "discard_random":
            _discard_random(table, subject, number)
        case "lose_hero":
            yield from _lose_hero(table, subject)
        case "lose_machine":
            yield from _lose_machine(table, subject)
        case "steal_token" | "steal_card" | "steal_conquest":
            yield from _steal(table, player, step.word, number, is_action=is_action)
        case "attack" | "defense" | "no_requirement" | "machine_off" | "kill_toss" | "retreat_now":
            yield from fight_steps.carry_out(table, player, subject, step)
        case "no_combat":
            table.saw("E60 one combat is skipped, however often it is said", table.seats[subject].no_combat)
            table.seats[subject].no_combat = True
        case "guard":
            table.seats[subject].guarded = True
        case "move" | "swap_armies" | "peek" | "turn_up" | "swap_lands":
            yield from field_steps.carry_out(table, player, subject, step)
        case "take_back":
            yield from _take_back(table, subject, step.what)
        case "save" | "retoss":
            _save(table, player, step.word, number)
        case _:
            raise NotImplementedError(step.text)


def lose_tokens(table: Table, player: int, count: int) -> Choices:
    """Loose tokens first, then crew of the owner's choice (E15, E42)."""
    seat = table.seats[player]
    loose = min(count, seat.tokens)
    table.spend(player, loose)
    for _ in range(count - loose):
        if not seat.crew:
            table.saw("E6 no token to discard")
            return
        table.saw("E15 no loose token: crew is discarded")
        machine = yield from pick_crew(table, player, "lose", is_toss=False)
        table.lose_crew(machine)


def pick_crew(table: Table, player: int, kind: str, *, is_toss: bool) -> _Machine:
    """Which Machine a crew token comes from; of alike ones from that with more crew (in tosses: not yet tossed) (E46)."""

    def left(machine: Machine) -> int:
        return machine.crew - machine.tossed if is_toss else machine.crew

    machines = [machine for machine in table.seats[player].machines if left(machine)]
    name = yield from ask(
        table, player, kind, "pick", [machine.name for machine in machines], "E42 whose crew is the owner's choice"
    )
    alike = [machine for machine in machines if machine.name == name]
    table.saw(
        "E46 of alike Machines the one with more crew gives a token", len({left(machine) for machine in alike}) > 1
    )
    return max(alike, key=left)


def discard_cards(table: Table, player: int, count: int) -> Choices:
    """One card a decision; when the whole hand must go nothing is left to ask (E48)."""
    hand = table.seats[player].hand
    for remaining in range(count, 0, -1):
        if remaining >= len(hand):
            table.saw("E6 no card to discard", not hand)
            table.saw("E48 the whole hand must go: not asked", hand)
            for name in [card.name for card in hand]:
                table.discard(player, name)
            return
        answer = yield Decision(player, "discard", frozenset(f"discard {card.name}" for card in hand))
        table.discard(player, answer.removeprefix("discard "))


def _discard_random(table: Table, player: int, count: int) -> None:
    """One card after the other, as long as there are any (E54)."""
    hand = table.seats[player].hand
    table.saw("E54 no card to discard at random", not hand)
    table.saw("E54 fewer cards than are to be discarded at random", 0 < len(hand) < count)
    for _ in range(min(count, len(hand))):
        table.discard_random(player)


def _lose_hero(table: Table, player: int) -> Choices:
    heroes = table.seats[player].heroes
    table.saw("E6 no Hero to discard", not heroes)
    if heroes:
        name = yield from ask(table, player, "lose", "pick", heroes, "E42 which Hero is the owner's choice")
        table.lose_hero(player, name)


def _lose_machine(table: Table, player: int) -> Choices:
    machines = table.seats[player].machines
    table.saw("E6 no Machine to discard", not machines)
    if machines:
        names = [machine.name for machine in machines]
        name = yield from ask(table, player, "lose", "pick", names, "E42 which Machine is the owner's choice")
        alike = [machine for machine in machines if machine.name == name]
        table.saw("E46 of alike Machines the one with fewer crew goes", len({machine.crew for machine in alike}) > 1)
        table.lose_machine(player, min(alike, key=lambda machine: machine.crew))


def _steal(table: Table, player: int, word: str, number: int, *, is_action: bool) -> Choices:
    """From another who has any, always for the player of the card."""
    seats = table.seats
    has_any = {
        "steal_token": lambda other: seats[other].tokens,
        "steal_card": lambda other: seats[other].hand,
        "steal_conquest": lambda other: seats[other].conquest,
    }[word]
    others = [other for other in table.others(player) if has_any(other)]
    table.saw("E13 crew is not stolen", word == "steal_token" and any(
        seats[other].crew and not seats[other].tokens for other in table.others(player)))  # fmt: skip
    allowed = _open_to(table, player, others, is_action=is_action)
    table.saw("E61 nothing is stolen from a guarded player", len(allowed) < len(others))
    if not allowed:
        table.saw("E6 nobody to steal from", not others)
        return
    victim = yield from _name_player(table, player, allowed)
    if word == "steal_token":
        count = min(number, seats[victim].tokens)
        table.saw("E13 fewer loose tokens than are stolen", count < number)
        seats[victim].tokens -= count
        seats[player].tokens += count
    elif word == "steal_card":
        table.steal_card(player, victim)
    else:
        seats[player].conquest.append(seats[victim].conquest.pop())
        table.saw("E21 the top card of a pile is stolen")


def _take_back(table: Table, player: int, kind: str) -> Choices:
    cards = table.cards.cards
    names = [name for name in table.discard_pile if kind in ("any", cards[name].kind)]
    table.saw("E40 nothing to take back", not names)
    if names:
        name = yield from ask(table, player, "take", "take", names)
        table.take_back(player, name)


def _save(table: Table, player: int, word: str, number: int) -> None:
    """Up to so many tokens that died come back loose, at once or if they live when tossed again (E43)."""
    combat = table.combat
    assert combat is not None
    count = min(number, combat.fallen[player])
    table.saw("E43 fewer tokens died than may be saved", count < number)
    saved = count if word == "save" else sum(table.toss() for _ in range(count))
    table.saw("E43 tokens saved", word == "save" and saved)
    table.saw("E43 tokens tossed again", word == "retoss" and count)
    combat.fallen[player] -= saved
    table.gain(player, saved)


# --- menus ---------------------------------------------------------------------------------------------------------


def menu_options(table: Table, player: int, window: str) -> set[str]:
    """What every menu of a player's own turn offers: Actions of the window and the ability."""
    options = {f"play {name}" for name in playable(table, player, window)}
    if ability_ready(table, player, window):
        options.add("ability")
    return options


def menu_is_empty(table: Table, player: int, window: str) -> bool:
    """Nothing to ask, by public facts: an empty hand and no ability to use (E48)."""
    empty = not table.seats[player].hand and not ability_ready(table, player, window)
    table.saw(f"E48 a menu of Phase {window.upper()} with nothing to ask", empty)
    return empty


def take_option(table: Table, player: int, answer: str) -> Choices:
    if answer == "ability":
        yield from use_ability(table, player)
    else:
        yield from play_action(table, player, answer.removeprefix("play "))
