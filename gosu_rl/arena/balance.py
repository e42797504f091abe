"""Which cards and which clans win: a balance table of a card set, from games of an agent against itself.

Three questions are asked of each card. *Dealt*: the win share of a seat that holds it among its opening ten. The deal
is random, so this is what the card does, diluted by all the others. *Played* and *at the end*: the win share of a
seat that played it, or has it in its army when the game ends. These are large and tell which cards are there when
games are won, but whoever is winning plays more cards, so they must be compared with the average card and not with
1/n.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena.match import play_game, seat_agents
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.runner import start_games, start_worker
from gosu_rl.arena.stats import Interval, paired, ratio

DEALS_A_TASK = 20
FEW = 20  # deals; below that a win rate says nothing, and the table leaves it out


@dataclass(frozen=True)
class Played:
    """What the cards did in finished games. Letters in shapes: d deals, h first holders, n seats, f faces."""

    share: NDArray[np.float64]  # [d, h, n]; all 0 in a truncated game
    good: NDArray[np.bool_]  # [d, h], False where truncated
    dealt: NDArray[np.uint8]  # [d, h, n, f]: copies among the opening ten
    played: NDArray[np.uint8]  # [d, h, n, f]: times recruited or mutated into
    ended: NDArray[np.uint8]  # [d, h, n, f]: copies in the army at the end, face down ones too


@dataclass(frozen=True)
class CardLine:
    """One face. Rates are per seat of a game; win shares are those of seats to which it happened."""

    label: str
    clan: str
    level: int
    won_dealt: Interval
    play_rate: Interval
    won_played: Interval
    end_rate: Interval
    won_ended: Interval


@dataclass(frozen=True)
class ClanLine:
    """One clan. `winners`, `losers`: its part of the goblins in their armies at the end; `difference` is by deal.

    `led`: how often it is the clan (or one of those) with most goblins in an army at the end; `won_led`: how such a
    seat fares.
    """

    clan: str
    copies: float
    winners: Interval
    losers: Interval
    difference: Interval
    led: Interval
    won_led: Interval


def play(
    spec: GameSpec,
    agent: str = "greedy",
    deals: int = 1000,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Played:
    """Play `deals` deals of `agent` against itself, each with every seat given the Advantage card (T46).

    The result does not depend on `workers`. ValueError where spec or agent is wrong.
    """
    if deals < 1:
        raise ValueError(f"the number of deals must be at least 1, not {deals}")
    plan = Plan(spec, (agent,), seed)
    tasks = [range(start, min(start + DEALS_A_TASK, deals)) for start in range(0, deals, DEALS_A_TASK)]
    work = partial(_play_deals, plan)
    parts: list[Played] = []

    def take(part: Played) -> None:
        parts.append(part)
        if progress is not None:
            progress(len(part.share))

    if workers == 1 or len(tasks) == 1:
        for task in tasks:
            take(work(task))
    else:
        # Through Python in any case, as `play_game` goes; the first decision compiles it for all workers.
        start_games(spec.make(), plan)
        pool = ProcessPoolExecutor(min(workers, len(tasks)), get_context("spawn"), start_worker)
        try:
            for part in pool.map(work, tasks):
                take(part)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    names = Played.__dataclass_fields__
    return Played(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def cards(game: Any, games: Played) -> list[CardLine]:
    """A line for each face, in the order of the set."""
    seats = np.broadcast_to(games.good[..., None], games.share.shape)
    lines = []
    for face, card in enumerate(game.card_set.cards):
        dealt, played, ended = (counts[..., face] > 0 for counts in (games.dealt, games.played, games.ended))
        lines.append(
            CardLine(
                card.label,
                card.clan,
                card.level,
                won_dealt=_rate(games.share, dealt & seats),
                play_rate=_rate(played, seats),
                won_played=_rate(games.share, played & seats),
                end_rate=_rate(ended, seats),
                won_ended=_rate(games.share, ended & seats),
            )
        )
    return lines


def average(games: Played) -> tuple[Interval, Interval, Interval]:
    """The win share when dealt, played, at the end, of the average card: what a single card is to be compared with."""
    seats = np.broadcast_to(games.good[..., None], games.share.shape)[..., None]
    share = games.share[..., None]
    dealt, played, ended = (_rate(share, (counts > 0) & seats) for counts in (games.dealt, games.played, games.ended))
    return dealt, played, ended


def clans(game: Any, games: Played) -> list[ClanLine]:
    """A line for each clan, in the order in which the set first names them."""
    faces = game.card_set.cards
    names = list(dict.fromkeys(card.clan for card in faces))
    member = np.array([[card.clan == name for name in names] for card in faces], np.int64)  # [f, clans]
    army = games.ended.astype(np.int64) @ member  # [d, h, n, clans]
    size = army.sum(-1)
    seats = np.broadcast_to(games.good[..., None], games.share.shape)
    won, lost = seats & (games.share > 0), seats & (games.share == 0)
    most = army.max(-1)
    total = sum(card.copies for card in faces)
    lines = []
    for index, name in enumerate(names):
        here = army[..., index]
        led = (here == most) & (most > 0)
        lines.append(
            ClanLine(
                name,
                sum(card.copies for card in faces if card.clan == name) / total,
                winners=_rate(here, size * won, weigh=won),
                losers=_rate(here, size * lost, weigh=lost),
                difference=paired(_part(here, size, won), _part(here, size, lost), (-1, 1)),
                led=_rate(led, seats),
                won_led=_rate(games.share, led & seats),
            )
        )
    return lines


def as_text(game: Any, games: Played) -> str:
    """Both tables as Markdown, for a terminal and for docs/cards; ends with a line feed."""
    n, deals = games.share.shape[-1], len(games.share)
    lines = [
        f"{deals:,} deals, {games.good.sum():,} games, {n} players; fair win share {100 / n:.1f} %; "
        f"±: 95 % interval; –: fewer than {FEW} deals.",
        "",
        "| clan | of all cards | of winners' armies | of losers' armies | difference | leads | wins when leading |",
        "|---|---|---|---|---|---|---|",
    ]
    for line in clans(game, games):
        figures = (line.winners, line.losers, line.difference, line.led, line.won_led)
        lines.append(f"| {line.clan} | {100 * line.copies:.1f} % | " + " | ".join(map(_short, figures)) + " |")
    dealt, played, ended = map(_short, average(games))
    lines += [
        "",
        "| card | clan | level | wins when dealt | is played | wins when played | in army at end | wins when there |",
        "|---|---|---|---|---|---|---|---|",
        f"| *average* | | | {dealt} | | {played} | | {ended} |",
    ]
    for card in sorted(cards(game, games), key=lambda one: -np.nan_to_num(one.won_played.estimate)):
        figures = (card.won_dealt, card.play_rate, card.won_played, card.end_rate, card.won_ended)
        lines.append(f"| {card.label} | {card.clan} | {card.level} | " + " | ".join(map(_short, figures)) + " |")
    return "\n".join(lines) + "\n"


def as_csv(game: Any, games: Played) -> str:
    """The cards' table with all limits; shares as fractions, unknown figures empty."""
    figures = ("won_dealt", "play_rate", "won_played", "end_rate", "won_ended")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["card", "clan", "level"] + [f"{name}{part}" for name in figures for part in ("", "_low", "_high")])
    for line in cards(game, games):
        intervals = [getattr(line, name) for name in figures]
        numbers = [value for one in intervals for value in (one.estimate, one.low, one.high)]
        row = ["" if np.isnan(value) else f"{value:.6g}" for value in numbers]
        writer.writerow([line.label, line.clan, line.level, *row])
    return out.getvalue()


def _play_deals(plan: Plan, deals: Sequence[int]) -> Played:
    game = plan.spec.make()
    n, faces = plan.players, {card.label: face for face, card in enumerate(game.card_set.cards)}
    shape = (len(deals), n, n)
    share, good = np.zeros(shape), np.zeros(shape[:2], np.bool_)
    dealt, played, ended = (np.zeros((*shape, len(faces)), np.uint8) for _ in range(3))
    for place, deal in enumerate(deals):
        seed = int(plan.deal_seeds(deal, deal + 1)[0])
        for holder in range(n):
            here = (place, holder)

            def watch(state: Any, seat: int, action: int, here: tuple[int, int] = here) -> None:
                if state.decisions == 0 and seat >= 0:
                    for owner, player in enumerate(state.as_dict()["players"]):
                        np.add.at(dealt[here][owner], [faces[label] for label in player["hand"]], 1)
                if seat < 0:
                    for owner, player in enumerate(state.as_dict()["players"]):
                        army = [faces[label] for row in player["army"] for label, _ in row]
                        np.add.at(ended[here][owner], army, 1)
                elif state.kind == "turn" and (face := faces.get(game.labels[action].partition(" ")[2])) is not None:
                    played[here][seat, face] += 1

            agents = seat_agents(game, plan.seatings[0], seed)
            row = play_game(game, agents, seed, holder, watch=watch)
            good[here] = not row["truncated"]
            share[here] = row["share"][:n]
    return Played(share, good, dealt, played, ended)


def _rate(y: NDArray, x: NDArray, weigh: NDArray | None = None) -> Interval:
    """`Σ y / Σ x` over deals; y counts where x (or `weigh`) does."""
    wanted = y * (x if weigh is None else weigh)
    return ratio(wanted.reshape(len(x), -1).sum(1, dtype=float), x.reshape(len(x), -1).sum(1, dtype=float), (0, 1))


def _part(here: NDArray, size: NDArray, which: NDArray) -> NDArray[np.float64]:
    """float[d]: a clan's part of the goblins of the armies picked by `which`; NaN for a deal without any."""
    up = (here * which).sum(axis=(1, 2), dtype=float)
    down = (size * which).sum(axis=(1, 2), dtype=float)
    return np.divide(up, down, out=np.full(len(up), np.nan), where=down > 0)


def _short(one: Interval) -> str:
    if one.blocks < FEW:
        return "–"
    return f"{100 * one.estimate:.1f} ± {100 * one.half_width:.1f}"
