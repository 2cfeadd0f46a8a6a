"""What judges the emitted messages: the providers' own types, their rules on order, their clients, and kept copies."""
