/**
 * Version 2: who is who, who may talk and where a chat went. Codes stand in `code.ts`. The number `route_revision` grows
 * with approved pairings, links and moves.
 */
export const SECOND_SCHEMA: string = `
CREATE TABLE pairings (
  id INTEGER PRIMARY KEY, channel TEXT NOT NULL, account TEXT NOT NULL, sender_id TEXT NOT NULL, display_name TEXT,
  code TEXT NOT NULL, state INTEGER NOT NULL, address TEXT NOT NULL, created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (channel, account, sender_id)
) STRICT;
CREATE INDEX pairings_by_state ON pairings (state);
CREATE INDEX pairings_pending ON pairings (channel, account, expires_at) WHERE state = 0;

CREATE TABLE links (
  id INTEGER PRIMARY KEY, channel TEXT NOT NULL, peer TEXT NOT NULL, person TEXT NOT NULL, linked_at INTEGER NOT NULL,
  UNIQUE (channel, peer)
) STRICT;

CREATE TABLE link_codes (
  code TEXT PRIMARY KEY, channel TEXT NOT NULL, peer TEXT NOT NULL, address TEXT NOT NULL, expires_at INTEGER NOT NULL,
  UNIQUE (channel, peer)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_codes_by_end ON link_codes (expires_at);

CREATE TABLE link_failures (
  channel TEXT NOT NULL, peer TEXT NOT NULL, count INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  PRIMARY KEY (channel, peer)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_failures_by_end ON link_failures (expires_at);

CREATE TABLE chat_moves (
  id INTEGER PRIMARY KEY, channel TEXT NOT NULL, from_chat TEXT NOT NULL, to_chat TEXT NOT NULL,
  UNIQUE (channel, from_chat)
) STRICT;

INSERT INTO meta (name, value) VALUES ('route_revision', 0);

CREATE INDEX transcripts_by_key ON transcripts (session_key);
`;
