import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { openTestStore } from "./open-store.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const DAY = "2026-11-21";
const SCHEMAS = SCHEMA_VERSIONS.slice(0, 6);

test("what people had used of a day by the sixth version's records is counted from the start", async () => {
  const stateDir = createTemporaryFolder();
  const old = new DatabaseSync(join(stateDir, "banyan.db"));
  old.exec(`${SCHEMAS.join(";")}; PRAGMA user_version = 6; INSERT INTO meta VALUES ('store_id', 'old')`);
  const insert = old.prepare("INSERT INTO sessions VALUES (NULL, ?, ?, 'main', ?, 1, 5, ?, ?, NULL)");
  const add = (name: string, entry: object, archivedAt: number | null = null) =>
    insert.run(name, `id of ${name}`, `${name}.jsonl`, JSON.stringify(entry), archivedAt);
  add("one", { userId: "ada", dayUsage: { day: DAY, turns: 2, tokens: 30, costUsd: 0.5 } });
  add("child", { userId: "ada", spawnedBy: "one", dayUsage: { day: DAY, turns: 1 } }, 7);
  add("earlier", { userId: "ada", dayUsage: { day: "2026-11-20", turns: 9, tokens: 9 } });
  add("bob", { userId: "irc:bob", dayUsage: { day: DAY, turns: 1, tokens: 4 } });
  add("group", { dayUsage: { day: DAY, turns: 5, tokens: 5 } });
  add("quiet", { userId: "ada" });
  add("bare", {});
  // As a runtime may have told it when nobody looked.
  add("odd", { userId: "irc:odd", dayUsage: { day: DAY, turns: 1, tokens: 12.5, costUsd: 1 } });
  old.close();
  const { read } = await openTestStore({ stateDir, readable: false });
  expect(await read.dayUsed({ subject: "ada", day: DAY })).toEqual({ turns: 3, tokens: 30, costUsd: 0.5 });
  expect(await read.dayUsed({ subject: "ada", day: "2026-11-20" })).toEqual({ turns: 9, tokens: 9, costUsd: 0 });
  expect(await read.dayUsed({ subject: "irc:bob", day: DAY })).toEqual({ turns: 1, tokens: 4, costUsd: 0 });
  expect(await read.dayUsed({ subject: "irc:odd", day: DAY })).toEqual({ turns: 1, tokens: 12, costUsd: 1 });
});
