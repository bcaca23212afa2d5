/** One text per version, in order: number n takes a database from version n to n + 1. Never changed once published. */
export const SCHEMA_VERSIONS: readonly string[] = [
  /**
   * Version 1. Codes stand in `code.ts`. `pos` of deliveries and `seq` of items come from one sequence, so that a chat's
   * history has one order. Columns that an index holds are left out of the hot updates, so that those touch no index.
   */
  `
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
`,
  /**
   * Version 2: who is who, who may talk and where a chat went. Codes stand in `code.ts`. The number `route_revision` grows
   * with approved pairings, links and moves.
   */
  `
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
`,
  /**
   * Version 3: what was said at an address is found piece by piece of 1,024 numbers. An index by address alone is written
   * all over with every message; of these only the last piece is, a few pages that a batch has in common.
   */
  `
DROP INDEX items_by_address;
DROP INDEX items_by_native_id;
DROP INDEX deliveries_by_address;
CREATE INDEX items_by_piece ON items (seq >> 10, address) WHERE kind < 2;
CREATE INDEX deliveries_by_piece ON deliveries (pos >> 10, address);
`,
  /**
   * Version 4: runs of sub-agents, timers and bindings. Codes stand in `code.ts`. What a plain message never has stands at
   * the end of its rows and is indexed only where it is there. A run that has ended leaves the indexes named `runs_open`:
   * what is asked for each spawn, claim and end is answered from the few that have not.
   */
  `
-- is_left: with archived_at, no run's end will take the session along.
ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
ALTER TABLE sessions ADD COLUMN is_left INTEGER;
DROP INDEX sessions_by_agent;
CREATE INDEX sessions_by_agent ON sessions (agent_id, archived_at, key);
CREATE INDEX sessions_left ON sessions (archived_at, key) WHERE is_left = 1;

-- wake: NULL asks the agent. ended_run: with ended_epoch, what became of the run that the turn worked for.
ALTER TABLE items ADD COLUMN wake INTEGER;
ALTER TABLE items ADD COLUMN run_id TEXT;
ALTER TABLE items ADD COLUMN ended_run INTEGER;

-- Items in the state 5. An index of items by that state would be looked at with every message.
CREATE TABLE held (item_seq INTEGER PRIMARY KEY, lane_id INTEGER NOT NULL, holder TEXT NOT NULL) STRICT;
CREATE INDEX held_by_lane ON held (lane_id, item_seq);
CREATE INDEX held_by_holder ON held (holder, lane_id);

-- is_dropped: an operator gave it up.
ALTER TABLE deliveries ADD COLUMN run_id TEXT;
ALTER TABLE deliveries ADD COLUMN is_dropped INTEGER;
CREATE INDEX deliveries_of_run ON deliveries (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE runs (
  pos INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, dedupe TEXT NOT NULL, child_key TEXT NOT NULL,
  requester_key TEXT NOT NULL, root_key TEXT NOT NULL, parent_run_id TEXT, spawn_seq INTEGER,
  is_awaited INTEGER NOT NULL, route TEXT NOT NULL, state INTEGER NOT NULL, created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER, ended_reason INTEGER, target TEXT, told_key TEXT,
  settled_by INTEGER, archived_at INTEGER, body TEXT NOT NULL, result TEXT, told_with TEXT
) STRICT;
CREATE UNIQUE INDEX runs_by_dedupe ON runs (dedupe) WHERE ended_reason IS NOT 7;
CREATE INDEX runs_by_child ON runs (child_key, pos);
CREATE INDEX runs_by_requester ON runs (requester_key, pos);
CREATE INDEX runs_by_root ON runs (root_key, pos);
CREATE INDEX runs_by_parent ON runs (parent_run_id, pos) WHERE parent_run_id IS NOT NULL;
CREATE INDEX runs_by_told ON runs (told_key, pos) WHERE told_key IS NOT NULL;
CREATE INDEX runs_by_route ON runs (route);
CREATE INDEX runs_by_target ON runs (target) WHERE target IS NOT NULL;
CREATE INDEX runs_open ON runs (pos) WHERE state < 4;
CREATE INDEX runs_open_by_child ON runs (child_key, pos) WHERE state < 4;
CREATE INDEX runs_open_by_requester ON runs (requester_key, pos) WHERE state < 4;
CREATE INDEX runs_open_by_root ON runs (root_key, pos) WHERE state < 4;
CREATE INDEX runs_open_by_parent ON runs (parent_run_id, pos) WHERE state < 4 AND parent_run_id IS NOT NULL;
CREATE INDEX runs_unsettled ON runs (pos) WHERE state = 4 AND settled_by IS NULL;
CREATE INDEX runs_unsettled_by_told ON runs (told_key, pos) WHERE state = 4 AND settled_by IS NULL;
CREATE INDEX runs_through ON runs (ended_at, pos) WHERE state = 4 AND settled_by IS NOT NULL;

CREATE TABLE timers (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, armed_at INTEGER NOT NULL, due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX timers_by_due ON timers (due_at, id);
CREATE INDEX timers_by_subject ON timers (subject);

CREATE TABLE bindings (
  pos INTEGER PRIMARY KEY, id TEXT NOT NULL, address TEXT NOT NULL UNIQUE, session_key TEXT NOT NULL,
  kind INTEGER NOT NULL, created_at INTEGER NOT NULL, idle_ms INTEGER, max_age_ms INTEGER
) STRICT;
CREATE INDEX bindings_by_session ON bindings (session_key, pos);
`,
  /**
   * Version 5: messages that are sent first and edited into their text later. What a plain message never has stands at the end
   * of its row and is indexed only where it is there.
   */
  `
-- claims: the id of the row whose message this one is edited into. anchor_id: the platform's id of its own first message.
ALTER TABLE deliveries ADD COLUMN claims TEXT;
ALTER TABLE deliveries ADD COLUMN anchor_id TEXT;
CREATE UNIQUE INDEX deliveries_by_claim ON deliveries (claims) WHERE claims IS NOT NULL;
`,
  /** Version 6: how urgent what waits is. Most items never have it, so it stands at the end of its row. */
  `
-- priority: as somebody has set it; NULL: nobody has.
ALTER TABLE items ADD COLUMN priority INTEGER;
`,
  /**
   * Version 7: timers that wait for the turn of an item. Few are armed at a time, so each end of an item finds an index that is
   * almost empty.
   */
  `
ALTER TABLE timers ADD COLUMN item_seq INTEGER;
CREATE INDEX timers_by_item ON timers (item_seq) WHERE item_seq IS NOT NULL;
-- A turn is over in many ways; none of them can forget what waits for it. States: 0 waits, 1 runs. wake 1: only appended.
CREATE TRIGGER items_over AFTER UPDATE OF state, wake ON items WHEN NEW.state NOT IN (0, 1) OR NEW.wake IS 1
BEGIN
  UPDATE timers SET due_at = armed_at WHERE item_seq = NEW.seq;
END;
`,
  /**
   * Version 8: what somebody has used up on one day, one row for all his conversations and those below them. `counted_at` is that
   * of the row's first count, so that later ones touch no index. What stands in the records is taken over: from here on it is
   * counted in the step that writes them. A part of a token, as a runtime may once have told it, must not keep a gateway from starting.
   */
  `
CREATE TABLE day_used (
  subject TEXT NOT NULL, day TEXT NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL, cost_usd REAL NOT NULL,
  counted_at INTEGER NOT NULL,
  PRIMARY KEY (subject, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX day_used_by_age ON day_used (counted_at);

INSERT INTO day_used (subject, day, turns, tokens, cost_usd, counted_at)
  SELECT body ->> '$.userId', body ->> '$.dayUsage.day', sum(coalesce(body ->> '$.dayUsage.turns', 0)),
    CAST(sum(coalesce(body ->> '$.dayUsage.tokens', 0)) AS INTEGER), sum(coalesce(body ->> '$.dayUsage.costUsd', 0.0)), max(updated_at)
  FROM sessions WHERE body ->> '$.userId' IS NOT NULL AND body ->> '$.dayUsage.day' IS NOT NULL
  GROUP BY 1, 2;
`,
  /** Version 9: deaths of the process in a row at which an item was active, without progress between them. */
  `
ALTER TABLE items ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
`,
];
