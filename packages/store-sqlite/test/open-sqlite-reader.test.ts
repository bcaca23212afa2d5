import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteReader } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

describe("a reader of a state directory", () => {
  test("sees what a running gateway commits, without its lock", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const reader = openSqliteReader(stateDir);
    onTestFinished(() => reader.close());
    expect(await reader.read.counts()).toMatchObject({ sessions: 0 });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    expect(await reader.read.session(adaKey)).toMatchObject({ revision: 1 });
    expect(await reader.read.entries({ sessionId: "ada-1", limit: 5 })).toHaveLength(1);
    const pairing = { channel: "test", account: "one", senderId: "eve", code: "c", address: "a", mostPending: 1 };
    const stranger = { lane: "", refused: "unknown sender", pairing: { ...pairing, ttlMs: 3_600_000 } };
    await store.commit(buildReceive("m1", stranger));
    expect(await reader.read.pairings({ limit: 5 })).toMatchObject([{ senderId: "eve", state: "pending" }]);
    expect(await reader.read.counts()).toMatchObject({ pendingPairings: 1 });
    const audit = { actor: "operator", action: "pair", detail: "" };
    const approve = {
      step: "settle_pairing",
      to: "approved",
      channel: "test",
      account: "one",
      senderId: "eve",
    } as const;
    await store.commit({ ...approve, deliveries: [], audit });
    expect(await reader.read.routes()).toMatchObject({ revision: 1, approved: [{ senderId: "eve" }] });
    expect(await reader.read.audit({ limit: 5 })).toMatchObject([audit]);
    expect(await reader.read.linkDesk({ code: "c", channel: "test", peer: "eve" })).toEqual({ failures: 0 });
  });

  test("works when no gateway runs, keeps none from starting, and can be closed twice", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await store.commit(buildWriteSession("w1"));
    await store.close();
    const reader = openSqliteReader(stateDir);
    expect(await reader.read.sessions({ limit: 5 })).toHaveLength(1);
    const again = await openTestStore({ stateDir });
    await again.commit(buildAppend("e1"));
    expect(await reader.read.entries({ sessionId: "ada-1", limit: 5 })).toHaveLength(1);
    reader.close();
    reader.close();
  });

  test("refuses a missing store and one of a newer Banyan with a sentence", () => {
    const stateDir = createTemporaryFolder();
    expect(() => openSqliteReader(stateDir)).toThrow(/banyan.db: .*check that the file exists/);
    const database = new DatabaseSync(join(stateDir, "banyan.db"));
    database.exec("PRAGMA user_version = 10");
    database.close();
    expect(() => openSqliteReader(stateDir)).toThrow(/schema has version 10, this program knows up to 9/);
  });
});
