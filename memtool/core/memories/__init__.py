"""Anthropic's memory tool: its commands and replies.

Design notes
------------
- Models were trained on the tool's replies, so all of them stand in one table. A property test runs the
  same commands through the SDK's own tool and through this one: replies, bytes, names and modes on disk
  agree, save a short list in `schemas/README.md`. A disk error is a reply too, because the model has to act
  on it.
"""
