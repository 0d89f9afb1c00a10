"""Search of documents, turns and exact text.

Design notes
------------
- Every hit is checked against its file before it is shown.
- Document hits and message hits are fused by reciprocal rank.
- Search is lexical by default, also where the `semantic` extra is installed. Hybrid finds a little more on
  average (Recall@10 .807 to .799 on LoCoMo, .602 to .595 on BEAM, R@1 of XQuAD-R .909 to .906), but less of
  some kinds of questions (BEAM's summaries, R@40 .267 to .331; Vietnamese, R@1 .920 to .921), and each
  process must load its model first. `recall` uses vectors where there are any: it never finds fewer exactly.
"""
