import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const SCHEMAS = SCHEMA_VERSIONS.slice(0, 8);

/** As the eighth version left it: a turn was active when the process died, twice before it had been cut off. */
function createEighthVersion(): string {
  const stateDir = createTemporaryFolder();
  const old = new DatabaseSync(join(stateDir, "banyan.db"));
  old.exec(`${SCHEMAS.join(";")}; PRAGMA user_version = 8;
    INSERT INTO meta VALUES ('store_id', 'old');
    INSERT INTO sessions (id, key, session_id, agent_id, file, revision, updated_at, body)
      VALUES (1, '${adaKey}', 'ada-1', 'main', 'ada-1.jsonl', 4, 5, '{}');
    INSERT INTO transcripts VALUES (1, 'ada-1', '${adaKey}', 'main', 'ada-1.jsonl');
    INSERT INTO lanes (id, lane, epoch, owner, claim_id, claim_seq) VALUES (1, '${adaKey}', 3, 'dead', 'c', 2);
    INSERT INTO items (seq, lane_id, dedupe, native_id, kind, state, address, attempt, received_at, body)
      VALUES (2, 1, 'd2', 'm2', 0, 1, 'test|one|ada', 3, 6, '{}')`);
  old.close();
  return stateDir;
}

test("a database of the eighth version is brought up to date: its attempts stay, and deaths are counted from now on", async () => {
  const store = await openTestStore({ stateDir: createEighthVersion(), readable: false });
  const read = async () => (await store.read.openItems({ lane: adaKey, limit: 9 }))[0];
  expect(await read()).toMatchObject({ seq: 2, state: "active", attempt: 3 });
  expect(await read()).not.toHaveProperty("deaths");
  expect(await store.commit({ step: "recover", owner: "next" })).toMatchObject({ lanes: 1 });
  expect(await read()).toMatchObject({ state: "waiting", attempt: 2, deaths: 1 });
});
