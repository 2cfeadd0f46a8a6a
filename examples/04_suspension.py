"""A tool that needs a person first answers with an ordinary failure that holds a request."""

from toolnexus_media import suspension, tool
from toolnexus_media.types import ToolResult


def refund(args: dict[str, int], ctx: dict[str, object]) -> ToolResult:
    if ctx.get("answer") == "approve":
        return tool.success(f"refunded {args['amount']}")
    return suspension.suspend(suspension.make_request("input", f"Approve a refund of {args['amount']}?"))


tk = tool.toolkit([tool.tool("refund", refund, context=True)])

waiting = tool.execute(tk, "refund", {"amount": 20})
request = suspension.pending_of(waiting)
assert request is not None
print("waiting:", request["prompt"])

done = tool.execute(tk, "refund", {"amount": 20}, {"call_id": "c1", "answer": "approve"})
assert suspension.pending_of(done) is None
print("done:", done["output"])
