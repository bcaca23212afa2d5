import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoreError } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

describe("files that are removed under a running store", () => {
  const removals: readonly { what: string; remove: (stateDir: string) => void }[] = [
    { what: "the log", remove: (stateDir) => rmSync(join(stateDir, "banyan.db-wal")) },
    { what: "the database", remove: (stateDir) => rmSync(join(stateDir, "banyan.db")) },
    { what: "the state directory", remove: (stateDir) => rmSync(stateDir, { recursive: true }) },
    {
      what: "the database, with a copy in its place",
      remove(stateDir) {
        copyFileSync(join(stateDir, "banyan.db"), join(stateDir, "copy"));
        renameSync(join(stateDir, "copy"), join(stateDir, "banyan.db"));
      },
    },
  ];
  test.each(removals)(
    "$what: a step that comes 100 ms later is not acknowledged, and the store has failed",
    async ({ remove }) => {
      const stateDir = join(createTemporaryFolder(), "state");
      const clock = createManualClock();
      const store = await openTestStore({ stateDir, clock, readable: false });
      const failures: StoreError[] = [];
      store.onFailure((error) => failures.push(error));
      await store.commit(buildWriteSession("w1"));
      remove(stateDir);
      clock.advance(99);
      expect(await store.commit(buildReceive("m1"))).toMatchObject({ status: "done" });
      clock.advance(1);
      await expect(store.commit(buildReceive("m2"))).rejects.toMatchObject({ code: "commit_unknown" });
      expect(failures).toMatchObject([
        {
          code: "lost",
          message: expect.stringMatching(
            /banyan\.db(-wal)? was removed or replaced while it was in use, so nothing can be stored any more; stop/,
          ),
        },
      ]);
      await expect(store.commit(buildReceive("m3"))).rejects.toMatchObject({ code: "closed" });
      await expect(store.read.counts()).rejects.toMatchObject({ code: "closed" });
    },
  );

  test("a clock that is set back puts no check off", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock, readable: false });
    await store.commit(buildWriteSession("w1"));
    rmSync(join(stateDir, "banyan.db"));
    clock.advance(-3_600_000);
    await expect(store.commit(buildReceive("m1"))).rejects.toMatchObject({ code: "commit_unknown" });
  });

  test("where only the log was removed, the next start has all that was acknowledged", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock, readable: false });
    await store.commit(buildWriteSession("w1"));
    rmSync(join(stateDir, "banyan.db-wal"));
    await store.commit(buildReceive("m1"));
    clock.advance(100);
    await expect(store.commit(buildReceive("m2"))).rejects.toMatchObject({ code: "commit_unknown" });
    await store.close();
    const next = await openTestStore({ stateDir, readable: false });
    expect(await next.read.session(adaKey)).toMatchObject({ key: adaKey });
    expect(await next.commit(buildReceive("m1"))).toMatchObject({ items: [{ outcome: "duplicate" }] });
  });

  test("the readable layout of another store that is in its place is not overwritten", async () => {
    const stateDir = join(createTemporaryFolder(), "state");
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock });
    await store.commit(buildWriteSession("w1"));
    await store.projectNow();
    rmSync(stateDir, { recursive: true });
    const sessions = join(stateDir, "agents", "main", "sessions.json");
    mkdirSync(join(sessions, ".."), { recursive: true });
    writeFileSync(sessions, "another store's");
    clock.advance(100);
    await expect(store.commit(buildReceive("m1"))).rejects.toMatchObject({ code: "commit_unknown" });
    await store.close();
    expect(readFileSync(sessions, "utf8")).toBe("another store's");
  });
});
