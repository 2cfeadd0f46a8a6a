"""Parts and the wire: what providers send and take, one shape at a time.

>>> read_block({"inlineData": {"mimeType": "text/plain", "data": "aGk="}})
{'type': 'file', 'mimeType': 'text/plain', 'data': <2 bytes>}
"""

from __future__ import annotations

from toolnexus_media.emit.read import read_block

__all__ = ["read_block"]
