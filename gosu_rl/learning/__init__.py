"""Learning by self-play (configuration, rollouts, PPO, opponents, checkpoints, the loop), and how good is what was learned:
yardsticks, trained best responses, and exact measures on a game small enough to be enumerated. Training needs torch, the exact
part does not.
"""
