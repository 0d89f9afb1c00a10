"""Anthropic's memory tool: its commands and replies.

Design notes
------------
- Models were trained on the tool's replies, so all replies are in one table. A property test runs the same
  commands through the SDK's own tool and through this one: replies, file contents, names and modes agree,
  except for a short list in `schemas/README.md`. A disk error is a reply too, so that the model can act on
  it.
"""
