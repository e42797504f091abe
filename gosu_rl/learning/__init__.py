"""Learning: exact measures on games small enough to be enumerated, and approximate ones on all others."""
