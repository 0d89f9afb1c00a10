"""Search indexes, which can be deleted and rebuilt from the tree at any time.

Design notes
------------
- Every index has the same lifecycle (`sync.py`): a snapshot of its files is compared with it, what differs is
  applied or searched beside it, and hits are checked against their files. A subclass of `IndexSync` says what
  is covered; this package knows documents and no trees.
- Index folders are authenticated. Whoosh stores pickles, and reading a pickle can run anything; a workspace
  from elsewhere could bring its own `.memtool/`. No index is opened without a valid tag made with this
  user's key, which lies outside every workspace.
- An index holds its folder open, and libraries reach it as /proc/self/fd/N, so that a link that is put in its
  place leads nowhere. SQLite resolves such paths and gets the real one; it never creates a file, and is
  refused unless it opened the file of the open folder. A file system of its own, which apsw offers, would
  allow more, and cost a call of Python for each page that is read.
- Documents have two engines, Whoosh and SQLite, behind one contract (`documents/document_index.py`). An
  engine stores weighed terms and reads them back exactly; one scorer ranks, so that answers are the same.
- Whoosh provides the format of segments, columns and the lock. Our own code builds and merges segments in a
  quarter of Whoosh's time (`documents/segment_builder.py`, on several cores `segment_workers.py`) and reads
  them (`segment_reader.py`), because importing Whoosh would take a tenth of the time of a prompt.
- Query parser, weighting and snippets are our own, one of each for documents, transcripts and facts, because
  those of Whoosh are worse (LoCoMo, 759 questions): its BM25F finds 55 to 59 % of the answers among ten
  chunks, our weighting 62 % in a quarter of the time; its highlighter shows the line of the answer in 36 % of
  the cases, ours in 58 %; its parser reads `e-mail` as an exclusion, and importing it takes 40 ms.
- In SQLite, FTS5 counts the words of each chunk, and weights are made of the counts when a search reads them.
  Postings that Python packed were read three times as quickly (8 ms instead of 25 for a word in half of
  115,000 chunks), but took most of a first index.
- A search reads messages in context: SQLite names the 128 messages with the rarest terms, and they are
  scored with their neighbours and sessions. A question whose words are hardly held anywhere (30 % of their
  weight) has no answer, unless it names a speaker.
- Lexical and dense scores of the same items are divided by their maximum and added, the dense ones with the
  weight that their model earns (messages: 0.3 for the static model, 0.8 for a sentence model). Rank fusion
  of the two was worse.
- A question about a speaker is compared as addressed to that speaker ("What did Ann buy?" as "What did you
  buy?"), because people rarely say their own name.
- Vectors are compared one by one. Multiplying a matrix of 100,000 facts takes tens of milliseconds,
  exactly, and needs no maintenance. Vectors lie in SQLite under the model and a hash of the text.
- Recall searches the three nearest categories first, then all facts if that yields too few, or if a fact
  elsewhere holds more of the question.
"""
