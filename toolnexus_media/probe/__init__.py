"""Bytes and their media type become facts: one file a kind, each format a small reader of its own."""
