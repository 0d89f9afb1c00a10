"""The tables of the index of transcripts."""

from __future__ import annotations

VERSION = 8
"""Of these tables; an index of another version is started over."""

TABLES = """
CREATE TABLE folder(
  path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER
) WITHOUT ROWID;
CREATE TABLE turn(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT,
  seq INTEGER, created_at TEXT, day TEXT, grp TEXT, origin TEXT, session TEXT, messages INTEGER,
  UNIQUE(folder, name)
);
CREATE TABLE total(turns INTEGER NOT NULL, messages INTEGER NOT NULL, vectors INTEGER NOT NULL);
INSERT INTO total VALUES (0, 0, 0);
CREATE TRIGGER turn_added AFTER INSERT ON turn BEGIN
  UPDATE total SET turns = turns + 1, messages = messages + new.messages;
END;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
  UPDATE total SET turns = turns - 1, messages = messages - old.messages;
END;
CREATE INDEX turn_origin ON turn(origin) WHERE origin IS NOT NULL;
CREATE INDEX turn_seq ON turn(seq, grp);
CREATE TABLE message(
  id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, number INTEGER NOT NULL, speaker TEXT NOT NULL,
  name TEXT, terms TEXT NOT NULL, states TEXT NOT NULL, asks TEXT NOT NULL
);
CREATE INDEX message_turn ON message(turn, number);
CREATE INDEX message_name ON message(name) WHERE name IS NOT NULL;
CREATE VIRTUAL TABLE fts USING fts5(
  terms, states, asks, content='message', content_rowid='id', tokenize='ascii'
);
CREATE TABLE word(word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
  INSERT INTO fts(rowid, terms, states, asks) VALUES (new.id, new.terms, new.states, new.asks);
END;
CREATE TABLE vector(message INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TRIGGER vector_added AFTER INSERT ON vector BEGIN UPDATE total SET vectors = vectors + 1; END;
CREATE TRIGGER vector_gone AFTER DELETE ON vector BEGIN UPDATE total SET vectors = vectors - 1; END;
CREATE TABLE model(name TEXT NOT NULL);
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  DELETE FROM vector WHERE message = old.id;
  INSERT INTO fts(fts, rowid, terms, states, asks) VALUES ('delete', old.id, old.terms, old.states, old.asks);
END;
CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
  INSERT INTO fts(fts, rowid, terms, states, asks) VALUES ('delete', old.id, old.terms, old.states, old.asks);
  INSERT INTO fts(rowid, terms, states, asks) VALUES (new.id, new.terms, new.states, new.asks);
END;
"""
"""`message` holds each message's tokens, and the stems of what it states and what it asks; the full-text
table is over it and has no content of its own. `name` is who spoke, folded, where the message says so.
`vector` holds numbers in half precision, of the model that `model` names.
"""
