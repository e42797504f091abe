"""Learning by self-play: configuration, rollouts, PPO, opponents, checkpoints and the training loop. Needs torch."""
