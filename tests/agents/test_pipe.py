"""Agents that are programs of their own: the conversation, and everything a program can do wrong in it."""

import sys
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.agents import AgentError, make_agent
from gosu_rl.agents.pipe import Pipe

EXAMPLE = Path(__file__).parents[2] / "examples" / "pipe_agent.py"
FIRST = "import json,sys\nfor line in sys.stdin:\n m=json.loads(line)\n if m['type']=='decision': "


def program(tmp_path, text):
    file = tmp_path / "agent.py"
    file.write_text(text)
    return f"'{sys.executable}' '{file}'"


def first_answer(command, limit=10.0):
    game = gosu_rl.game("tactics", players=2)
    state = game.new(seed=3)
    agent = Pipe(command, limit)
    try:
        agent.reset(game, state.mover, 5)
        return agent.act(state.view(state.mover)), state
    finally:
        agent.close()


def test_the_example_plays_whole_games():
    game = gosu_rl.game("tactics", players=2)
    spec = f"pipe:'{sys.executable}' '{EXAMPLE}'"
    record = gosu_rl.play(game, [spec, "greedy"], seed=4)
    assert record.result["reason"] in ("points", "fifteen", "nine")
    played = [line["chosen"] for line in record.decisions if line["player"] == 0 and line["kind"] == "turn"]
    assert any(label.startswith("play ") for label in played)
    assert gosu_rl.play(game, [spec, "greedy"], seed=4) == record


@pytest.mark.parametrize("answer", ["m['legal'][-1]", "m['ids'][-1]", "{'action': m['ids'][-1]}"])
def test_a_label_an_id_or_an_object_is_an_answer(tmp_path, answer):
    action, state = first_answer(program(tmp_path, FIRST + f"print(json.dumps({answer}), flush=True)"))
    assert action == state.legal[-1]


def test_the_program_hears_what_its_seat_may_know(tmp_path):
    heard = tmp_path / "heard.json"
    text = FIRST + f"open({str(heard)!r}, 'w').write(line); print(json.dumps(m['legal'][0]), flush=True)"
    _, state = first_answer(program(tmp_path, text))
    import json

    message = json.loads(heard.read_text())
    assert message["legal"] == state.legal_labels
    assert message["kind"] == state.kind
    assert message["view"] == json.loads(json.dumps(state.view(state.mover).as_dict()))
    assert message["view"]["viewer"] == state.mover


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FIRST + "print('hello', flush=True)", "answered 'hello', which is not JSON"),
        (FIRST + "print('\"fly\"', flush=True)", "which is not legal"),
        (FIRST + "print('true', flush=True)", "which is not legal"),
        ("import sys\nsys.exit('no model')", "ended with exit code 1 before its game was over: no model"),
        ("import os,time\nos.close(1)\ntime.sleep(60)", "closed its output before its game was over"),
        ("print('1', flush=True)\nimport time\ntime.sleep(60)", "without being asked|which is not legal"),
        (FIRST + "import time; time.sleep(60)", "did not answer within 0.7 s"),
    ],
)
def test_what_a_program_does_wrong_is_named(tmp_path, text, words):
    with pytest.raises(AgentError, match=words) as caught:
        first_answer(program(tmp_path, text), limit=0.7 if "0.7" in words else 10.0)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("pipe: ")


def test_specs_with_words_and_a_limit():
    agent = make_agent("pipe:python 'my agent.py' --depth=3,limit=2.5")
    assert (agent.words, agent.limit) == (["python", "my agent.py", "--depth=3"], 2.5)
    with pytest.raises(AgentError, match="limit must be more than 0"):
        make_agent("pipe:python a.py,limit=0")
    with pytest.raises(AgentError, match="missing a required argument: 'command'"):
        make_agent("pipe:")
    with pytest.raises(AgentError, match="cannot be split"):
        make_agent("pipe:python 'a.py")


def test_a_program_that_is_not_there_is_one_clear_line():
    with pytest.raises(AgentError, match="'no-such-program-here' cannot be started: No such file"):
        first_answer("no-such-program-here")
