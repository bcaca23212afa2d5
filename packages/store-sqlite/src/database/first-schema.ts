/**
 * Version 1. Codes stand in `code.ts`. `pos` of deliveries and `seq` of items come from one sequence, so that a chat's
 * history has one order. Columns that an index holds are left out of the hot updates, so that those touch no index.
 */
export const FIRST_SCHEMA: string = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  channel TEXT NOT NULL, account TEXT NOT NULL, cursor TEXT NOT NULL,
  PRIMARY KEY (channel, account)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, agent_id TEXT NOT NULL,
  file TEXT NOT NULL, revision INTEGER NOT NULL, updated_at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_agent ON sessions (agent_id, key);

-- Every session id there ever was, so that entries of a session that was reset still find their file.
CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, session_key TEXT NOT NULL,
  agent_id TEXT NOT NULL, file TEXT NOT NULL
) STRICT;
CREATE INDEX transcripts_by_file ON transcripts (agent_id, file);

CREATE TABLE entries (
  pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, transcript_id INTEGER NOT NULL, seq INTEGER NOT NULL,
  item_seq INTEGER, body TEXT NOT NULL,
  UNIQUE (transcript_id, seq)
) STRICT;
CREATE INDEX entries_by_item ON entries (item_seq) WHERE item_seq IS NOT NULL;

CREATE TABLE writers (
  session_key TEXT NOT NULL, channel TEXT NOT NULL, peer TEXT NOT NULL,
  PRIMARY KEY (session_key, channel, peer)
) STRICT, WITHOUT ROWID;

-- claim_id, claim_seq: the latest claim and its item, which is active while the lane has an owner.
-- ready_seq: the first waiting item, where a claim would take it.
CREATE TABLE lanes (
  id INTEGER PRIMARY KEY, lane TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, owner TEXT, claim_id TEXT,
  claim_seq INTEGER, ready_seq INTEGER
) STRICT;
CREATE INDEX lanes_ready ON lanes (ready_seq) WHERE ready_seq IS NOT NULL;
CREATE INDEX lanes_owned ON lanes (id) WHERE owner IS NOT NULL;

-- ended_epoch, ended_revision: of the turn that committed the item.
CREATE TABLE items (
  seq INTEGER PRIMARY KEY, lane_id INTEGER, dedupe TEXT NOT NULL UNIQUE, native_id TEXT NOT NULL,
  kind INTEGER NOT NULL, state INTEGER NOT NULL, address TEXT NOT NULL, attempt INTEGER NOT NULL,
  ended_epoch INTEGER, ended_revision INTEGER, refused TEXT, received_at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX items_waiting ON items (lane_id, seq, kind) WHERE state = 0;
CREATE INDEX items_commands ON items (seq) WHERE state = 0 AND kind = 1;
CREATE INDEX items_by_address ON items (address) WHERE kind < 2;
CREATE INDEX items_by_native_id ON items (address, native_id) WHERE kind < 2;
CREATE INDEX items_by_age ON items (received_at);

CREATE TABLE deliveries (
  pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, delivery_id TEXT NOT NULL, part INTEGER NOT NULL,
  parts INTEGER NOT NULL, kind INTEGER NOT NULL, channel TEXT NOT NULL, account TEXT NOT NULL,
  address TEXT NOT NULL, chat TEXT NOT NULL, session_key TEXT, policy INTEGER NOT NULL, state INTEGER NOT NULL,
  attempts INTEGER NOT NULL, maybe_repeated INTEGER NOT NULL, owner TEXT,
  next_at INTEGER NOT NULL, platform_id TEXT, error TEXT, quiet_key TEXT, created_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_unsettled ON deliveries (pos) WHERE state < 3;
CREATE INDEX deliveries_odd ON deliveries (pos) WHERE state > 3;
CREATE INDEX deliveries_by_address ON deliveries (address);
CREATE INDEX deliveries_by_age ON deliveries (created_at);

CREATE TABLE quiets (
  key TEXT PRIMARY KEY, pos INTEGER NOT NULL, written_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session_writes (
  id TEXT PRIMARY KEY, revision INTEGER NOT NULL, written_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_writes_by_age ON session_writes (written_at);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL
) STRICT;
`;
