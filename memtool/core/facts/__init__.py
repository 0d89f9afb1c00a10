"""Facts and rules: write policy, duplicates, reconciliation, promotion, salience.

Design notes
------------
- The write policy is data: rows in `layouts/policy.toml`, tried in order; code knows only the conditions. It
  decides when a candidate is proposed and again before it is promoted, because the buffer is a file that can
  be edited. Near safety topics a person decides.
- A sentence is not evidence for itself. At session end quotes are looked up in the transcript, and the turn
  that contains them is the source of a candidate, whatever turn number it came with. An episode counts for
  its owner, never for candidates held in its own session.
- A fact is merged only if nothing is lost. Mean word vectors confuse "green tea" with "black tea", so two
  facts with near vectors merge only if neither has a word, number, negation or name of its own. In doubt
  there are two lines.
- Salience orders facts and decides nothing else. An access resets all decay.
"""
