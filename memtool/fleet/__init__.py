"""The fleet: one PostgreSQL database in which many trees can be searched.

Design notes
------------
- The database is derived data. The trees stay where they are, and dropping the database loses no memory.
- Every table has the tree as the first column of its primary key, so that it can be distributed by tree. The
  tables are owned by a role that is no superuser and cannot log in. The role of a tree has no rights on them:
  it may execute the functions of the schema `memtool`, which find its tree by `session_user`. With rights on
  tables, the estimates of EXPLAIN would tell what other trees hold. Row-level security stands behind the
  functions.
- Postings are rows of a B-tree that has the tree in its key, and not a GIN index of all trees: the time of
  a search then depends on trees that the caller may read, and on no others. Equality of integers and of
  texts is leakproof, so that PostgreSQL uses the index behind row-level security, too.
- A posting holds the packed numbers and weights that the local index has, made by the same code, and is
  scored by the same code. `FleetSource` gives the chunks with the rarest words of a query, with the counts of
  all others, to the scorer.
- Counts of terms are kept for each tree and owner of chunks. A score therefore tells nothing about memory
  that the caller may not read.
- What any role of a database sees in PostgreSQL's catalogue and statistics (sizes and row counts of tables,
  names of roles) is about all trees together. Names of roles are random and say nothing about trees.
- The functions take no advisory locks and no locks on rows of several trees: whoever leaves a transaction
  open can delay nobody's pushes but its own.
"""
