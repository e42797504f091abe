"""`GameState`: one position of a game, or one player's view of it.

Printable, comparable and copyable; `view(p)` gives what seat p knows, again as a `GameState`, and `determinize` fills such a view
with a world that fits it.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core import playout
from gosu_rl.core.jit import JIT
from gosu_rl.core.notice import compiling

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

WORD = 2**64 - 1


def returns_of(shares: np.ndarray) -> np.ndarray:
    """Zero-sum returns from win shares (last axis: seats): (n * share - 1) / (n - 1); zero where nobody won."""
    n = shares.shape[-1]
    won = shares.sum(axis=-1, keepdims=True) > 0
    return np.where(won, (n * shares - 1) / (n - 1), 0.0)


def records(array: np.ndarray) -> np.ndarray:
    """State records as the loops want them; plain Python needs attribute access to fields."""
    return array if JIT else array.view(np.recarray)


def fresh(dtype: np.dtype) -> np.ndarray:
    """A zeroed record[1]; eight times faster than np.zeros for a structured dtype."""
    return np.frombuffer(bytearray(dtype.itemsize), dtype)


def word(seed: int) -> np.uint64:
    return np.uint64(whole(seed, "seed") & WORD)


def whole(number: Any, name: str) -> int:
    """A whole number of any kind (NumPy's too) as an int; ValueError for everything else. True is no 1: whoever writes
    `advantage=True` meant something else than seat 1."""
    try:
        if not is_flag(number):
            return operator.index(number)
    except TypeError:
        pass
    raise ValueError(f"{name} must be a whole number, not {number!r}")


def is_flag(number: Any) -> bool:
    """Whether this is True or False, of Python or of NumPy, which Python counts among its whole numbers."""
    return isinstance(number, (bool, np.bool_)) or getattr(number, "dtype", None) == np.bool_


def seat_of(number: Any, players: int, name: str = "seat") -> int:
    """The number of a seat as an int; ValueError unless it is a whole number from 0 to players - 1."""
    try:
        seat = whole(number, name)
    except ValueError:
        seat = -1
    if not 0 <= seat < players:
        what = "number" if name == "seat" else "seat"
        raise ValueError(f"{name} must be a {what} from 0 to {players - 1}, not {number!r}")
    return seat


class GameState:
    """One position, or one player's view of it (`is_view`)."""

    __hash__ = None  # type: ignore[assignment] # positions change
    __slots__ = ("_S", "game", "record")

    def __init__(self, game: Game, record: np.ndarray):
        self.game = game
        self.record = record  # structured array of length 1
        self._S = records(record)

    # ---- the decision

    @property
    def mover(self) -> int:
        """The seat that decides; -1 when the game is over."""
        return self.record["mover"].item(0)

    @property
    def kind(self) -> str:
        """The kind of decision; `over` at the end."""
        return self.game.kinds[self.record["kind"].item(0)]

    @property
    def owed(self) -> int | None:
        """How many cards the mover has to give or pick one by one, this decision included: of a payment, a forced discard, the
        opening discards, the sacrifices of Gosu X's Song. Public; None at decisions that come singly."""
        s = self.record[0]
        return int(s["stack"][s["sp"] - 1][2]) if self.kind in self.game.kernel.counted else None

    @property
    def legal(self) -> list[int]:
        """Legal actions, ascending; empty when over, and in views of others than the mover."""
        out = np.empty(self.game.num_actions, np.int64)  # one shared by all would be another thread's before it is read
        return out[: playout.legal_actions(self._S, out)].tolist()

    @property
    def legal_labels(self) -> list[str]:
        """Labels of the legal actions."""
        labels = self.game.labels
        return [labels[a] for a in self.legal]

    @property
    def mask(self) -> np.ndarray:
        """bool[num_actions]: which actions are legal."""
        out = np.empty(self.game.num_actions, np.int8)
        playout.legal_mask(self._S, out)
        return out.view(np.bool_)

    def apply(self, action: int | str) -> GameState:
        """Carry out an action (id or label) in place. An illegal one raises ValueError and changes nothing."""
        game = self.game
        a = action if type(action) is int else self._action_id(action)
        if not 0 <= a < game.num_actions or not playout.act(game.F_step, game.R, self._S, a):
            raise ValueError(self._why_not(action))
        return self

    def _action_id(self, action: Any) -> int:
        """The id of a label or of a NumPy integer; -1 for what is no action. True is no 1 here: it was meant for something else,
        and every new type would be a new compilation of the step."""
        if isinstance(action, str):
            try:
                return self.game.action(action)
            except ValueError as error:
                if self.is_view or self.over:
                    return -1
                raise ValueError(f"{error}; {self._legal_text()}") from None
        try:
            return whole(action, "an action")
        except ValueError:
            return -1

    def _why_not(self, action: Any) -> str:
        if self.is_view:
            return "a view cannot be played on; play on the state, or on view.determinize(seed)"
        name = " ".join(repr(action).split())
        name = name if len(name) <= 60 else name[:60] + " …"
        a = -1 if isinstance(action, str) else self._action_id(action)
        if 0 <= a < self.game.num_actions:
            name = f"{a} ({self.game.labels[a]!r})"
        if self.over:
            return f"action {name} is illegal: the game is over"
        return f"action {name} is illegal for p{self.mover} at this {self.kind!r} decision; {self._legal_text()}"

    def _legal_text(self) -> str:
        labels = self.legal_labels
        return "legal: " + ", ".join(labels[:40]) + (f" and {len(labels) - 40} more" if len(labels) > 40 else "")

    # ---- the result

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.record["over"].item(0) != 0

    @property
    def truncated(self) -> bool:
        """Whether it was cut off without a winner (T24, T45)."""
        return self.record["over"].item(0) == 2

    @property
    def reason(self) -> str:
        """Why the game ended, a word of `game.reasons`; empty while it goes on."""
        return self.game.reasons[self.record["reason"].item(0)]

    @property
    def shares(self) -> np.ndarray:
        """float64[players]: 1/w for each of w winners; zeros while the game goes on and when truncated."""
        win = self.record["win"][0, : self.game.players].astype(np.float64)
        return win / max(1.0, win.sum())

    @property
    def returns(self) -> np.ndarray:
        """float64[players]: (n * share - 1) / (n - 1), zero-sum; zeros while the game goes on and when truncated."""
        return returns_of(self.shares)

    # ---- some numbers everybody sees

    @property
    def points(self) -> list[int]:
        """Victory Points by seat."""
        return self.record["points"][0, : self.game.players].tolist()

    @property
    def round(self) -> int:
        """Number of the round, from 1."""
        return self.record["rnd"].item(0)

    @property
    def decisions(self) -> int:
        """Decisions taken so far."""
        return self.record["decisions"].item(0)

    @property
    def advantage(self) -> int:
        """Seat that holds the Advantage card; in Epic Death, who began."""
        return self.record["adv"].item(0)

    @property
    def shuffles(self) -> int:
        """How often the discard pile has been shuffled into the draw pile."""
        return self.record["shuffles"].item(0)

    @property
    def pile_order(self) -> list[str]:
        """The draw pile as last shuffled, top first, cards drawn since included; empty in views."""
        return self.game.kernel.pile_order(self)

    # ---- knowledge

    @property
    def is_view(self) -> bool:
        """Whether this is one player's view."""
        return self.record["viewer"].item(0) >= 0

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is, or None."""
        p = self.record["viewer"].item(0)
        return p if p >= 0 else None

    def view(self, seat: int) -> GameState:
        """What `seat` knows: the same record with everything hidden blanked."""
        p = self._seat(seat)
        if self.is_view:
            if self.viewer != p:
                raise ValueError(f"this is the view of p{self.viewer}; it holds no view of p{p}")
            return self.copy()
        record = fresh(self.game.state_dtype)
        playout.look(self.game.F_view, self.game.R, self._S, records(record), p)
        return GameState(self.game, record)

    def known_hand(self, seat: int) -> list[str]:
        """Faces that the viewer knows to be in `seat`'s hand: shown to all, or left there by elimination after a reshuffle.

        The whole hand for the viewer's own seat, and of a full state.
        """
        return self.game.kernel.known_hand(self, self._seat(seat))

    def determinize(self, seed: int = 0) -> GameState:
        """A full state drawn uniformly from those that give this view; nothing is concluded from what anybody chose."""
        if not self.is_view:
            raise ValueError("only a view can be determinized; take state.view(seat) first")
        record = fresh(self.game.state_dtype)
        F = self.game.F_world
        with compiling(playout.imagine):
            done = playout.imagine(F, self.game.R, self._S, records(record), word(seed))
        if not done:
            raise ValueError("no world fits this view: its counts of hidden cards contradict one another")
        return GameState(self.game, record)

    def observation(self, seat: int) -> np.ndarray:
        """float32[observation_spec.size] for `seat`, from its view only."""
        return self.perceive(seat)[0]

    def perceive(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """What a network of `seat` gets, from its view only: the observation, float32[observation_spec.size], and the legal
        actions, int8[num_actions] of 0 and 1 (all 0 unless it is to move). Fresh arrays; one call into compiled code."""
        game, p = self.game, self._seat(seat)
        if self.is_view and self.viewer != p:
            raise ValueError(f"this is the view of p{self.viewer}; it holds no view of p{p}")
        out = np.empty(game.observation_size, np.float32)
        mask = np.empty(game.num_actions, np.int8)
        playout.perceive(game.F_observe, game.R, self._S, game.scratch, p, out, mask)
        return out, mask

    def _seat(self, seat: int) -> int:
        if type(seat) is int and 0 <= seat < self.game.players:
            return seat
        return seat_of(seat, self.game.players)

    # ---- as a value

    def copy(self) -> GameState:
        """An independent copy."""
        return _rebuild_state(self.game, self.record.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        same_game = self.game is other.game or self.game.__reduce__()[1] == other.game.__reduce__()[1]
        return same_game and self.record.tobytes() == other.record.tobytes()

    def __str__(self) -> str:
        return self.game.kernel.write_text(self)

    def __repr__(self) -> str:
        what = f"view of p{self.viewer}" if self.is_view else "state"
        where = f"over, {self.reason}" if self.over else f"p{self.mover} to decide: {self.kind}"
        return f"<GameState {self.game.variant}, {what}, round {self.round}, {where}>"

    def as_dict(self) -> dict[str, Any]:
        """The position as plain data (docs/architecture.md)."""
        return self.game.kernel.describe(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_state, (self.game, self.record.tobytes())


def _rebuild_state(game: Game, data: bytes) -> GameState:
    return GameState(game, np.frombuffer(bytearray(data), game.state_dtype))
