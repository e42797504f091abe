"""Which cards and which clans win: the games behind it, and the figures.

Five questions are asked of each card. *Dealt*: the win share of a seat that was dealt it in its opening hand. The deal
is random, so this is what the card does, diluted by all the others. *Kept* (after the opening discards), *held* (in hand
at any time in play), *played* (recruited or mutated into) and *ended* (in the army at the end) depend on what players
chose and on how the game went: whoever is winning draws and plays more cards. Therefore dealt is compared with the fair
share 1/n, and each of the others with the same figure of the average card of its level: high cards are dear, and come into
play when things go well. In Epic Death it is the average card of its kind: Actions are played once, Machines and Heroes stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena.match import play_game, seat_agents
from gosu_rl.arena.plan import Plan
from gosu_rl.arena.runner import is_compiled, start_games
from gosu_rl.arena.stats import Contrast, Interval, contrast, discoveries, paired, ratio
from gosu_rl.arena.workers import born_deaf, start_worker
from gosu_rl.core.tally import NAMES, CardLog, tally_many

DEALS_A_TASK = 20  # of games that go through Python
GAMES_A_TASK = 4096  # of compiled ones: as long as one waits after Ctrl-C
FEW = 20  # deals; below that a win rate says nothing, and the tables leave it out


@dataclass(frozen=True)
class Played:
    """What the cards did in finished games. Letters in shapes: d deals, g games a deal, n seats, f faces.

    A deal is played once for each seating of the agents and each first holder, in this order.
    """

    share: NDArray[np.float64]  # [d, g, n]; all 0 in a truncated game
    good: NDArray[np.bool_]  # [d, g], False where truncated
    dealt: NDArray[np.uint8]  # [d, g, n, f]: copies in the opening hand
    kept: NDArray[np.uint8]  # copies in hand after the opening discards
    held: NDArray[np.uint8]  # copies in hand at any time from then on
    played: NDArray[np.uint8]  # times recruited or mutated into
    ended: NDArray[np.uint8]  # copies in the army at the end, face down ones too

    @property
    def deals(self) -> int:
        return len(self.share)

    @property
    def games(self) -> int:
        return self.good.size


@dataclass(frozen=True)
class Seen:
    """How seats fare to which something happened with a card.

    `seats` is their number, `rate` their part of all seats, `won` their win share, `versus` its difference to what a card
    that does nothing would show. `q` is the rate of false discoveries at which the difference would just be picked out
    among all cards (NaN: too few data to judge), `stands` whether that is at most 5 %.
    """

    seats: int
    rate: Interval
    won: Interval
    versus: Contrast
    q: float
    stands: bool


@dataclass(frozen=True)
class CardLine:
    """One face; `figures` by the names of `core.tally.NAMES`. `winners`, `losers`: part of their armies that has it."""

    label: str
    clan: str  # or its kind
    level: int  # or its value
    figures: dict[str, Seen]
    winners: Interval
    losers: Interval


@dataclass(frozen=True)
class ClanLine:
    """One clan. `dealt`: win share per card of it in the opening hand, against 1/n.

    `winners`, `losers`: its part of the goblins in their armies at the end; `difference` is by deal. `led`: how often it
    is the clan (or one of those) with most goblins in an army at the end; `won_led`: how such a seat fares.
    """

    clan: str
    copies: float
    dealt: Contrast
    winners: Interval
    losers: Interval
    difference: Interval
    led: Interval
    won_led: Interval


@dataclass(frozen=True)
class Sorts:
    """By what the cards of a set are told apart, a word and an entry a face each: `group` gives them their colour, `rank`
    their height, and `peers` are the cards that one is compared with."""

    group: str
    groups: tuple[str, ...]
    rank: str
    ranks: tuple[int, ...]
    peer: str
    peers: tuple[Any, ...]


def sorts_of(game: Any) -> Sorts:
    """Clans and levels, or in Epic Death kinds and values."""
    faces = game.card_set.cards
    if has_clans(game):
        levels = tuple(card.level for card in faces)
        return Sorts("clan", tuple(card.clan for card in faces), "level", levels, "level", levels)
    kinds = tuple(card.kind for card in faces)
    return Sorts("kind", kinds, "value", tuple(card.value for card in faces), "kind", kinds)


def has_clans(game: Any) -> bool:
    """Whether the cards belong to clans; those of Epic Death do not."""
    return hasattr(game.card_set.cards[0], "clan")


def drafted(game: Any) -> bool:
    """Whether players choose the clans of their decks (Gosu X), so that a deal is chance only within a clan."""
    return "draft" in game.rules


def play(
    plan: Plan, deals: int, workers: int = 1, progress: Callable[[int], object] | None = None
) -> tuple[Played, bool]:
    """Play `deals` deals of a plan, each over all its seatings and with every seat given the Advantage card (T46).

    Returns the games and whether they are all there: Ctrl-C leaves those of the deals finished before the first gap. The
    games do not depend on `workers`. ValueError where plan or agents are wrong, KeyboardInterrupt if nothing is done yet.
    """
    if deals < 1:
        raise ValueError(f"the number of deals must be at least 1, not {deals}")
    game = plan.spec.make()
    parts: list[Played] = []

    def take(part: Played) -> None:
        parts.append(part)
        if progress is not None:
            progress(part.deals)

    try:
        if is_compiled(game, plan):
            for task in _tasks(deals, max(1, GAMES_A_TASK // plan.games_per_deal)):
                take(_compiled_deals(game, plan, task, workers))
        else:
            # Through Python in any case, as `play_game` goes; the first decision compiles it for all workers.
            start_games(game, plan)
            tasks, work = _tasks(deals, DEALS_A_TASK), partial(_python_deals, plan)
            if workers == 1 or len(tasks) == 1:
                for task in tasks:
                    take(work(task))
            else:
                _in_workers(work, tasks, workers, take)
    except KeyboardInterrupt:
        if not parts:
            raise
    names = Played.__dataclass_fields__
    games = Played(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
    return games, games.deals == deals


def cards(game: Any, games: Played) -> list[CardLine]:
    """A line for each face, in the order of the set."""
    lines: list[dict[str, Seen]] = [{} for _ in game.card_set.cards]
    sorts = sorts_of(game)
    for name in NAMES:
        # Where players choose their clans, what a dealt card does is measured within its clan.
        within = [card.clan for card in game.card_set.cards] if name == "dealt" and drafted(game) else None
        for line, figure in zip(lines, figures(games, name, sorts.peers, within), strict=True):
            line[name] = figure
    seats = _seats(games)
    won, lost = seats & (games.share > 0), seats & (games.share == 0)
    return [
        CardLine(
            card.label,
            sorts.groups[face],
            sorts.ranks[face],
            line,
            winners=_rate(games.ended[..., face] > 0, won),
            losers=_rate(games.ended[..., face] > 0, lost),
        )
        for face, (card, line) in enumerate(zip(game.card_set.cards, lines, strict=True))
    ]


def figures(games: Played, name: str, levels: Sequence[Any], within: Sequence[str] | None = None) -> list[Seen]:
    """One of the five questions, asked of each face; `levels` (or kinds) are those of the faces.

    A card that was dealt is compared with the fair share, in the other questions with the average card of its level; with `within`,
    a word a face, in any question with the average card of the same word.
    """
    seats, counts = _seats(games), getattr(games, name)
    had = (counts > 0) & seats[..., None]  # [d, g, n, f]
    y = np.einsum("dgn,dgnf->df", games.share, had)
    x = had.sum((1, 2), dtype=float)
    groups: Sequence[Any] = levels if within is None else within
    if name == "dealt" and within is None:
        fair = np.full(games.deals, 1 / games.share.shape[-1]), np.ones(games.deals)
        usual = dict.fromkeys(groups, fair)
    else:
        alike = {group: np.array([one == group for one in groups]) for group in groups}
        usual = {group: (y[:, these].sum(1), x[:, these].sum(1)) for group, these in alike.items()}
    all_seats = seats.sum((1, 2), dtype=float)
    versus = [contrast(y[:, f], x[:, f], *usual[group], (-1, 1)) for f, group in enumerate(groups)]
    q, stands = discoveries([one.p if one.interval.blocks >= FEW else np.nan for one in versus])
    return [
        Seen(
            int(x[:, f].sum()),
            ratio(x[:, f], all_seats, (0, 1)),
            ratio(y[:, f], x[:, f], (0, 1)),
            versus[f],
            float(q[f]),
            bool(stands[f]),
        )
        for f in range(y.shape[1])
    ]


def average(game: Any, games: Played, name: str, level: Any = None) -> Interval:
    """The win share of the average card (of a level or kind) in one of the five questions."""
    these = np.array([level in (None, peer) for peer in sorts_of(game).peers])
    return _rate(games.share[..., None], (getattr(games, name)[..., these] > 0) & _seats(games)[..., None])


def clans(game: Any, games: Played) -> list[ClanLine]:
    """A line for each clan, in the order in which the set first names them."""
    faces = game.card_set.cards
    names = list(dict.fromkeys(card.clan for card in faces))
    member = np.array([[card.clan == name for name in names] for card in faces], np.float32)  # [f, clans]
    army = (games.ended.astype(np.float32) @ member).astype(np.int64)  # [d, g, n, clans]
    dealt = (games.dealt.astype(np.float32) @ member).astype(np.int64)
    size, most = army.sum(-1), army.max(-1)
    seats = _seats(games)
    won, lost = seats & (games.share > 0), seats & (games.share == 0)
    fair, one = np.full(games.deals, 1 / games.share.shape[-1]), np.ones(games.deals)
    total = sum(card.copies for card in faces)
    lines = []
    for index, name in enumerate(names):
        here, given = army[..., index], dealt[..., index] * seats
        led = (here == most) & (most > 0)
        lines.append(
            ClanLine(
                name,
                sum(card.copies for card in faces if card.clan == name) / total,
                dealt=contrast(_sums(games.share * given), _sums(given), fair, one, (-1, 1)),
                winners=_rate(here, size * won, weigh=won),
                losers=_rate(here, size * lost, weigh=lost),
                difference=paired(_part(here, size, won), _part(here, size, lost), (-1, 1)),
                led=_rate(led, seats),
                won_led=_rate(games.share, led & seats),
            )
        )
    return lines


# ------------------------------------------------------------------------------------------------ playing


def _tasks(deals: int, size: int) -> list[range]:
    return [range(start, min(start + size, deals)) for start in range(0, deals, size)]


def _in_workers(
    work: Callable[[range], Played], tasks: Sequence[range], workers: int, take: Callable[[Played], None]
) -> None:
    pool = ProcessPoolExecutor(min(workers, len(tasks)), get_context("spawn"), start_worker)
    try:
        with born_deaf():
            parts = pool.map(work, tasks)  # which starts the workers
        for part in parts:
            take(part)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _compiled_deals(game: Any, plan: Plan, deals: range, workers: int) -> Played:
    n, seeds = plan.players, plan.deal_seeds(deals.start, deals.stop)
    holders = np.tile(np.arange(n), len(deals))
    runs = [tally_many(game, seating, np.repeat(seeds, n), holders, workers) for seating in plan.seatings]

    def by_deal(name: str) -> NDArray[Any]:
        arrays = [getattr(run, name) for run in runs]
        arrays = [array.reshape(len(deals), n, *array.shape[1:]) for array in arrays]
        return np.concatenate(arrays, axis=1)

    return Played(by_deal("share"), ~by_deal("truncated"), **{name: by_deal(name) for name in NAMES})


def _python_deals(plan: Plan, deals: Sequence[int]) -> Played:
    game = plan.spec.make()
    n = plan.players
    shape = (len(deals), plan.games_per_deal, n)
    share, good = np.zeros(shape), np.zeros(shape[:2], np.bool_)
    counts = {name: np.zeros((*shape, len(game.card_set.cards)), np.uint8) for name in NAMES}
    for place, deal in enumerate(deals):
        seed = int(plan.deal_seeds(deal, deal + 1)[0])
        for number in range(plan.games_per_deal):
            seating, holder = divmod(number, n)
            watch = _Watch(game)
            agents = seat_agents(game, plan.seatings[seating], seed, seating)
            row = play_game(game, agents, seed, holder, watch=watch)
            good[place, number] = not row["truncated"]
            share[place, number] = _exact(row["share"][:n])
            for name in NAMES:
                counts[name][place, number] = getattr(watch.log, name)
    return Played(share, good, **counts)


class _Watch:
    """Keeps the tally of a game from what `play_game` shows: the state before each action, and at the end."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.log: Any = None

    def __call__(self, state: Any, seat: int, action: int) -> None:
        if self.log is None:
            self.log = CardLog(self.game, state)
        else:
            self.log.after(state)
        if seat >= 0:
            self.log.before(state, action)


# ------------------------------------------------------------------------------------------------ counting


def _seats(games: Played) -> NDArray[np.bool_]:
    """bool[d, g, n]: seats of finished games."""
    return np.broadcast_to(games.good[..., None], games.share.shape)


def _exact(share: NDArray[np.float32]) -> NDArray[np.float64]:
    """Shares are 1/w for w winners; result rows keep them in single precision."""
    return (share > 0) / max(1, int((share > 0).sum()))


def _sums(values: NDArray) -> NDArray[np.float64]:
    return values.reshape(len(values), -1).sum(1, dtype=float)


def _rate(y: NDArray, x: NDArray, weigh: NDArray | None = None) -> Interval:
    """`Σ y / Σ x` over deals; y counts where x (or `weigh`) does."""
    return ratio(_sums(y * (x if weigh is None else weigh)), _sums(x), (0, 1))


def _part(here: NDArray, size: NDArray, which: NDArray) -> NDArray[np.float64]:
    """float[d]: a clan's part of the goblins of the armies picked by `which`; NaN for a deal without any."""
    up = (here * which).sum(axis=(1, 2), dtype=float)
    down = (size * which).sum(axis=(1, 2), dtype=float)
    return np.divide(up, down, out=np.full(len(up), np.nan), where=down > 0)
