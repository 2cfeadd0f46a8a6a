"""Bytes and their type → facts."""
