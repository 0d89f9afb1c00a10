"""A server of the Model Context Protocol over stdin and stdout.

Design notes
------------
- The server opens no workspace and reads no environment: each call receives the workspace, clock, owner and
  open indexes from the command that starts the server.
- Tools answer in text, because Claude Code and Codex show their models the structured part alone and
  OpenClaw shows both; eight hits take 430-860 tokens as text and 690-1,100 as JSON. Only a status, an id or
  a path is structured data.
- The SDK's stdio transport drops lines that it cannot parse and cancels running calls at end of input.
  memtool's own answers each line, bounds its length, and finishes every call.
- Calls run in threads on two queues: one for the indexes of documents and turns, one for facts and the
  lock. Reading a file, listing and ping wait for neither.
- Arguments are accepted under common other names (`max_results`, `top_k`). A value out of bounds is refused
  with a message, because some clients drop the bounds from schemas.
"""
