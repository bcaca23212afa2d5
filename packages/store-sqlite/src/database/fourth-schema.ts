/**
 * Version 4: runs of sub-agents, timers and bindings. Codes stand in `code.ts`. What a plain message never has stands at
 * the end of its rows and is indexed only where it is there. A run that has ended leaves the indexes named `runs_open`:
 * what is asked for each spawn, claim and end is answered from the few that have not.
 */
export const FOURTH_SCHEMA: string = `
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
`;
