"""Where bytes come from: the only module that opens files."""
