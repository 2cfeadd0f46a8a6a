"""Ratios against a floor and against peers, each pair measured in one interleaved run."""
