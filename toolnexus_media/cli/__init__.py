"""The command line: one table of verbs, a module each."""
