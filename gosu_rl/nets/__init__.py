"""Networks and the files that hold trained ones. The only room below the agents that needs torch."""
