"""Policy files: what is saved comes back, and what is damaged, foreign or for another game is refused in one clear line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from hand_made import drawn, tactics

import gosu_rl
from gosu_rl.nets import lookup
from gosu_rl.nets.lookup import check_name, frames, locate, policy_for, shared
from gosu_rl.nets.network import build_network
from gosu_rl.nets.policy_file import (
    META,
    PolicyError,
    layout_fingerprint,
    load_policy,
    save_policy,
    softmax,
)

CARDS = Path(gosu_rl.__file__).parent / "core" / "cards" / "sets" / "tactics.toml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.safetensors"
    drawn(path)
    return path


def seen(count: int = 50, players: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of movers, in their own frames, along one game."""
    game, rows = tactics(players), []
    state = game.new(3)
    while len(rows) < count:
        observation, mask = state.view(state.mover).perceive(state.mover)
        rows.append((observation, mask[frames(game)[state.mover]]))
        state.apply(state.legal[len(rows) % len(state.legal)])
        if state.over:
            state = game.new(len(rows))
    return np.stack([row[0] for row in rows]), np.stack([row[1] for row in rows])


# ------------------------------------------------------------------------------------------------ what comes back


def test_a_network_comes_back_as_it_was(tmp_path: Path) -> None:
    game = gosu_rl.game("tactics", players=3, rules={"turns_after_pass": 2})
    net = build_network(game.observation_spec, game.num_actions, {"kind": "mlp", "hidden": [20, 10]})
    about = {"command": "gosu-rl train", "strength": {"greedy": 0.75}}
    save_policy(tmp_path / "x.safetensors", net, game, about)
    policy = load_policy(tmp_path / "x.safetensors")
    for name, value in net.state_dict().items():
        assert torch.equal(policy.network.state_dict()[name], value), name
    assert not policy.network.training
    assert policy.meta["about"] == about
    assert policy.meta["rules"] == {"turns_after_pass": 2}
    assert policy.meta["network"] == {"kind": "mlp", "hidden": [20, 10]}
    assert (policy.meta["variant"], policy.meta["players"]) == ("tactics", 3)
    policy.check(game)
    assert [one.name for one in tmp_path.iterdir()] == ["x.safetensors"]


def test_outputs_are_those_of_the_network(file: Path) -> None:
    policy, (observations, masks) = load_policy(file), seen()
    with torch.inference_mode():
        logits, values = policy.network(torch.from_numpy(observations))
    exact, worth = policy.outputs(observations)
    assert exact == pytest.approx(logits.numpy(), abs=1e-4)
    assert worth == pytest.approx(values.numpy(), abs=1e-4)
    probabilities, returns = policy.evaluate(observations, masks)
    assert probabilities.dtype == returns.dtype == np.float32
    assert probabilities.sum(1) == pytest.approx(np.ones(50), abs=1e-6)
    assert (probabilities[masks == 0] == 0).all()
    for row, mask, line in zip(probabilities, masks, exact, strict=True):
        legal = np.flatnonzero(mask)
        weights = np.exp(line[legal])  # the softmax, written out
        assert row[legal] == pytest.approx(weights / weights.sum(), abs=1e-6)
    assert ((returns >= -1) & (returns <= 1)).all()
    assert returns.std() > 0.01


def test_a_row_hangs_on_itself_alone(file: Path) -> None:
    """Alone, in any company, at any place: the same numbers, to about the last bit of double precision."""
    policy, (observations, _) = load_policy(file), seen(200)
    whole, values = policy.outputs(observations)
    for size in (1, 2, 3, 7, 64, 65):
        for start in (0, 40, 130):
            part, some = policy.outputs(observations[start : start + size])
            assert np.abs(part - whole[start : start + size]).max() < 1e-12
            assert np.abs(some - values[start : start + size]).max() < 1e-13


def test_softmax_with_a_temperature() -> None:
    logits, masks = np.array([[1.0, 2.0, 99.0], [0.0, -800.0, 800.0]]), np.array([[1, 1, 0], [1, 1, 1]])
    p = 1 / (1 + np.e**2)
    assert softmax(logits, masks, 0.5)[0].tolist() == pytest.approx([p, 1 - p, 0])
    assert softmax(logits, masks)[1].tolist() == [0, 0, 1]
    assert softmax(logits, masks, np.array([[0.5], [1e9]])).tolist()[1] == pytest.approx([1 / 3] * 3, abs=1e-5)
    with pytest.raises(ValueError, match="has no legal action"):
        softmax(logits, np.array([[1, 0, 0], [0, 0, 0]]))


# ------------------------------------------------------------------------------------------------ what is refused


def refused(path: Path) -> str:
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    return text


def test_every_truncation_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for length in [0, 3, 7, 8, 9, 100, 2000, len(data) // 2, len(data) - 1]:
        file.write_bytes(data[:length])
        text = refused(file)
        assert "broken off" in text or "damaged" in text, length
    file.write_bytes(data + b"x")
    assert "damaged" in refused(file)


def test_every_flipped_bit_is_noticed(file: Path) -> None:
    """In the header's length, its texts, the weights: wherever it is."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little") + 8
    for place in [0, 5, *range(8, size, 97), *range(size, len(data), len(data) // 50)]:
        broken = bytearray(data)
        broken[place] ^= 4
        file.write_bytes(broken)
        refused(file)


def test_what_is_no_policy_is_refused(tmp_path: Path, file: Path) -> None:
    assert "no policy file can be read" in refused(tmp_path / "nowhere.safetensors")
    assert "no policy file can be read" in refused(tmp_path)
    other = tmp_path / "other.safetensors"
    for junk in (b"", b"hello", b"\x80\x04\x95" + bytes(200), b"{}" * 1000, (50).to_bytes(8, "little") + b"[" * 60):
        other.write_bytes(junk)
        assert "no policy file" in refused(other)
    safetensors.torch.save_file({"a": torch.zeros(3)}, other)
    assert "no policy of gosu_rl" in refused(other)


def edited(file: Path, change: object) -> str:
    """The file with its metadata changed and a checksum that fits again."""
    from gosu_rl.nets.checksum import checksum
    from gosu_rl.nets.policy_file import DIGEST, _header

    data = file.read_bytes()
    meta = json.loads(_header(str(file), data)[0])
    change(meta)  # type: ignore[operator]
    weights, text = safetensors.torch.load(data), json.dumps(meta)
    safetensors.torch.save_file(weights, file, {META: text, DIGEST: checksum(text, weights)})
    return refused(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda meta: meta.update(format=2), "format 2, and this gosu_rl reads format 1"),
        (lambda meta: meta.pop("format"), "cannot be read"),
        (lambda meta: meta.pop("layout"), "'layout' is missing"),
        (lambda meta: meta.update(players="two"), "'players' is missing or no int"),
        (lambda meta: meta.update(sections=[["a"]]), "'sections'"),
        (lambda meta: meta.update(cards={}), "'cards'"),
        (lambda meta: meta["network"].update(kind="magic"), "does not know: unknown kind of network 'magic'"),
        (lambda meta: meta["network"].update(depth=3), "unknown entry 'depth'"),
        (lambda meta: meta["network"].update(hidden=["wide"]), "hidden must be a list"),
        (lambda meta: meta["network"].update(hidden=[32, 32]), "does not know: "),
        (lambda meta: meta.update(actions=5), "does not know: "),
    ],
)
def test_files_that_say_something_else_are_refused(file: Path, change: object, words: str) -> None:
    assert words in edited(file, change)


def test_a_diverged_network_is_neither_written_nor_read(tmp_path: Path, file: Path) -> None:
    game = tactics()
    net = build_network(game.observation_spec, game.num_actions, {"kind": "mlp", "hidden": [8]})
    net.value.bias.data.fill_(float("nan"))
    with pytest.raises(ValueError, match=r"'value.bias' hold numbers that are not finite"):
        save_policy(tmp_path / "y.safetensors", net, game, {})
    assert not (tmp_path / "y.safetensors").exists()
    with pytest.raises(ValueError, match="must be plain JSON"):
        save_policy(tmp_path / "y.safetensors", net, game, {"when": {1, 2}})


def test_another_game_is_refused(file: Path, tmp_path: Path) -> None:
    policy = load_policy(file)
    policy.check(tactics())
    with pytest.raises(PolicyError, match="plays tactics with 2 players, not tactics with 3 players"):
        policy.check(tactics(3), any_cards=True)
    other_rules = gosu_rl.game("tactics", rules={"turns_after_pass": 2})
    with pytest.raises(PolicyError, match=r"plain rules, not with the rules turns_after_pass=2; any_cards=true"):
        policy.check(other_rules)
    policy.check(other_rules, any_cards=True)
    changed = tmp_path / "changed.toml"
    text = CARDS.read_text("utf-8").replace('composition = "rulebook"', 'composition = "free"')
    changed.write_text(text.replace("strength = 2", "strength = 3", 1), "utf-8")
    other_cards = gosu_rl.game("tactics", cards=changed)
    with pytest.raises(PolicyError, match=r"was trained with the cards tactics@\w+, not tactics@\w+; any_cards=true"):
        policy.check(other_cards)
    policy.check(other_cards, any_cards=True)


def test_another_layout_is_refused_whatever_is_allowed(file: Path) -> None:
    few = Path(__file__).parents[1] / "core"
    sys.path.insert(0, str(few))
    from law_cases import game

    policy, small = load_policy(file), game("small", 2)
    assert small.observation_size != tactics().observation_size
    with pytest.raises(PolicyError, match="another layout of observations and actions"):
        policy.check(small, any_cards=True)


def test_names_of_cards_are_no_part_of_the_layout(tmp_path: Path) -> None:
    renamed = tmp_path / "renamed.toml"
    renamed.write_text(CARDS.read_text("utf-8").replace("Ember Whelp", "Cinder Whelp"), "utf-8")
    prints = {layout_fingerprint(gosu_rl.game("tactics", cards=one)) for one in (None, renamed)}
    assert len(prints) == 1
    assert len({layout_fingerprint(tactics(players)) for players in (2, 3, 4)}) == 3


# ------------------------------------------------------------------------------------------------ whole or not at all

WRITER = """
import sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from hand_made import drawn
seed = 0
while True:
    drawn(Path({path!r}), seed=seed, hidden=(300,))
    seed += 1
    print(seed, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    drawn(path, hidden=(300,))
    code = WRITER.format(folder=str(Path(__file__).parent), path=str(path))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        end = time.monotonic() + 2
        while time.monotonic() < end:
            load_policy(path)  # beside the writer
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    load_policy(path)


# ------------------------------------------------------------------------------------------------ finding them


def test_where_players_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, packaged = tmp_path / "runs" / "x", tmp_path / "packaged"
    run.mkdir(parents=True)
    packaged.mkdir()
    monkeypatch.setattr(lookup, "PLAYERS", packaged)
    for text, words in (("runs/x", "holds no policy.safetensors"), ("gone", "no run folder or policy file 'gone'")):
        with pytest.raises(PolicyError, match=words):
            check_name(text)
    with pytest.raises(PolicyError, match="no trained player for tactics comes with gosu_rl \\(there are: none\\)"):
        check_name("tactics")
    drawn(run / "policy.safetensors")
    drawn(packaged / "tactics-2p.safetensors")
    (tmp_path / "tactics").mkdir()  # a folder of the variant's name does not hide the packaged player
    game = tactics()
    assert locate("runs/x", game) == Path("runs/x/policy.safetensors")
    assert locate("runs/x/policy.safetensors", game) == Path("runs/x/policy.safetensors")
    assert locate("tactics", game) == packaged / "tactics-2p.safetensors"
    check_name("tactics")
    with pytest.raises(
        PolicyError, match=r"no trained player for gosu comes with gosu_rl \(there are: tactics\); train one"
    ):
        check_name("gosu")
    with pytest.raises(PolicyError, match=r"or a packaged player \(there are: tactics\)$"):
        check_name("gone")
    with pytest.raises(PolicyError, match=r"no trained player for tactics with 3 players .*there are tactics-2p"):
        locate("tactics", tactics(3))
    assert policy_for("runs/x", game) is policy_for("runs/x/policy.safetensors", game)


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    drawn(path, seed=1)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(shared(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1
    before = shared(path)
    drawn(path, seed=2)
    os.utime(path, ns=(1, 1))
    assert shared(path) is not before
    assert shared(path).digest != before.digest
    path.unlink()
    with pytest.raises(PolicyError, match="no policy file can be read"):
        shared(path)
