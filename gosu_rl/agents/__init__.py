"""Players for any game of the package: the protocol, the spec strings, and the plain agents."""

from gosu_rl.agents.protocol import Agent, AgentError, act_batch, act_together, agent_seed, company_of
from gosu_rl.agents.specs import Kind, Parameter, kinds, make_agent, offered, register, split_specs

__all__ = [
    "Agent",
    "AgentError",
    "Kind",
    "Parameter",
    "act_batch",
    "act_together",
    "agent_seed",
    "company_of",
    "kinds",
    "make_agent",
    "offered",
    "register",
    "split_specs",
]
