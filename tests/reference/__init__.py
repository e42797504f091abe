"""A slow, plain second implementation of the game, and the tests that hold the compiled core against it."""
