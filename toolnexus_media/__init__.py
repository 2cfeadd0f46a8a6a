"""The multimodal media toolkit for LLM tools."""

__version__ = "0.1.0"
