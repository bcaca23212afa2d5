import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

/** The store of a gateway, with its threads and its file. */
async function openThreadedStore() {
  const stateDir = mkdtempSync(join(tmpdir(), "banyan-outbox-"));
  const store = await openSqliteStore({ stateDir, synchronous: "normal" });
  onTestFinished(async () => {
    await store.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return store;
}

test("a delivery waits as long as its plugin says, also where that is a part of a millisecond", async () => {
  const desk = new OutboxDesk({ store: await openThreadedStore() });
  desk.answer = () => Promise.reject(fails("rate_limited", { retryAfterMs: 1_500.25 }));
  await desk.connect();
  await desk.post(buildRow("a"));
  await expect.poll(() => desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0 });
});
