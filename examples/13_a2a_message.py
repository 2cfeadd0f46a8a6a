"""A2A: a result as an agent's message, in the protocol's own types."""

from a2a.types.a2a_pb2 import Message
from google.protobuf.json_format import ParseDict
from stand_in import PICTURE, kit

from toolnexus_media import deliver, tool

result = tool.execute(kit, "screenshot", {})
[message], changes = deliver([{"id": "call_1", "name": "screenshot", "result": result}], "a2a")
sent = ParseDict(message, Message())
print([part.WhichOneof("content") for part in sent.parts])

assert sent.parts[1].raw == PICTURE.read_bytes()
assert sent.parts[1].media_type == "image/png"
