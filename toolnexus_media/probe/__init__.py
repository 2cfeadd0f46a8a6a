"""Bytes and a media type in, facts out: one small module a family."""
