import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildCommit, buildDelivery, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

async function getRefusal(stateDir: string): Promise<StoreError> {
  const outcome = await openSqliteStore({ stateDir }).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(StoreError);
  if (!(outcome instanceof StoreError)) throw new Error("the store was opened");
  return outcome;
}

describe("what was committed", () => {
  test("is there when the state directory is opened again", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir });
    const received = await first.commit(buildReceive("m1"));
    await first.commit(buildCommit(received.status === "done" ? (received.items[0]?.seq ?? 0) : 0));
    await first.close();

    const second = await openTestStore({ stateDir });
    expect(await second.read.session(adaKey)).toMatchObject({ revision: 2, sessionId: "ada-1" });
    expect(await second.read.entries({ sessionId: "ada-1", limit: 10 })).toHaveLength(2);
    expect(await second.read.deliveries({ limit: 10 })).toMatchObject([{ id: "answer.0", state: "pending" }]);
    expect(await second.read.cursor("test", "one")).toBe("m1");
  });

  test("is counted on from: a pruned store gives no number twice", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir });
    const received = await first.commit(buildReceive("m1", { refused: "no", lane: "" }));
    expect(await first.commit({ step: "prune", olderThanMs: 0, limit: 10 })).toMatchObject({ removed: 1 });
    await first.close();

    const second = await openTestStore({ stateDir });
    const again = await second.commit(buildReceive("m2"));
    const seqs = [received, again].map((result) => (result.status === "done" ? result.items[0]?.seq : undefined));
    expect(seqs).toEqual([1, 2]);
  });

  test("is seen by a read that was asked for after it, without waiting", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder() });
    void store.commit(buildReceive("m1"));
    expect(await store.read.session(adaKey)).toMatchObject({ revision: 1 });
  });
});

describe("a state directory", () => {
  test("belongs to its owner alone, and so does every file in it", async () => {
    const stateDir = join(createTemporaryFolder(), "state");
    const store = await openTestStore({ stateDir });
    await store.commit(buildReceive("m1"));
    await store.commit(buildAppend("e1"));
    await store.projectNow();
    await store.backUpNow();
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    const found = readdirSync(stateDir, { recursive: true, withFileTypes: true });
    expect(found.map((file) => file.name)).toEqual(
      expect.arrayContaining(["banyan.db", "banyan.db-wal", "banyan.lock", "sessions.json", "ada-1.jsonl"]),
    );
    for (const file of found) {
      const mode = statSync(join(file.parentPath, file.name)).mode & 0o777;
      expect([file.name, mode.toString(8)]).toEqual([file.name, file.isDirectory() ? "700" : "600"]);
    }
  });

  test("has one writer: a second one in the same process is refused with its pid", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const refusal = await getRefusal(stateDir);
    expect(refusal).toMatchObject({ code: "locked", holderPid: process.pid });
    expect(refusal.message).toContain(`Another process (PID ${process.pid}) uses this directory`);
    expect(await getRefusal(stateDir)).toMatchObject({ code: "locked" });
    await store.close();
    await (await openTestStore({ stateDir })).close();
  });

  test("has one writer: another process is refused with the pid, until the first one is killed", async () => {
    const stateDir = createTemporaryFolder();
    const script = `
      import { openSqliteStore } from "@banyan/store-sqlite";
      await openSqliteStore({ stateDir: ${JSON.stringify(stateDir)} });
      process.stdout.write("opened");
    `;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    expect(await getRefusal(stateDir)).toMatchObject({ code: "locked", holderPid: holder.pid });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await openTestStore({ stateDir });
  });

  test("of a newer Banyan is refused untouched", async () => {
    const stateDir = createTemporaryFolder();
    const database = new DatabaseSync(join(stateDir, "banyan.db"));
    database.exec("PRAGMA user_version = 99; CREATE TABLE other (id)");
    database.close();
    const refusal = await getRefusal(stateDir);
    expect(refusal.code).toBe("newer_schema");
    expect(refusal.message).toMatch(/version 99, this program knows up to 9; install the newer Banyan/);
    expect(await getRefusal(stateDir)).toMatchObject({ code: "newer_schema" });
  });

  test("that cannot be made is refused with a sentence", async () => {
    const file = join(createTemporaryFolder(), "file");
    writeFileSync(file, "");
    const refusal = await getRefusal(join(file, "state"));
    expect(refusal.code).toBe("unusable");
    expect(refusal.message).toMatch(/cannot be made or written .*; choose a state directory that this user owns/);
  });

  test.skipIf(process.getuid?.() === 0)(
    "that this user cannot write is refused with a sentence (only where not root)",
    async () => {
      const stateDir = join(createTemporaryFolder(), "state");
      mkdirSync(stateDir);
      chmodSync(stateDir, 0o500);
      expect(await getRefusal(stateDir)).toMatchObject({ code: "unusable" });
    },
  );

  test("whose database is no database is refused as corrupt, and its lock is free again", async () => {
    const stateDir = createTemporaryFolder();
    writeFileSync(join(stateDir, "banyan.db"), "this is no database, but it is long enough to look at: ".repeat(40));
    expect(await getRefusal(stateDir)).toMatchObject({ code: "corrupt" });
    expect(await getRefusal(stateDir)).toMatchObject({ code: "corrupt" });
  });
});

test("a notice that is to be kept quiet for an hour is not kept for a day when the clock is set back", async () => {
  const clock = createManualClock();
  let setBackMs = 0;
  const store = await openTestStore({
    stateDir: createTemporaryFolder(),
    clock: { ...clock, now: () => clock.now() - setBackMs },
  });
  const quiet = { key: "refused ada", ms: 3_600_000 };
  const told: unknown[] = [];
  const refuse = async (id: string) => {
    const result = await store.commit(
      buildReceive(id, { refused: "no", lane: "", deliveries: [buildDelivery(`${id}.0`, { quiet })] }),
    );
    told.push(result.status === "done" ? result.items[0]?.deliveries : result);
  };
  await refuse("d1");
  await refuse("d2");
  setBackMs = 86_400_000;
  await refuse("d3");
  await refuse("d4");
  expect(told).toEqual([["d1.0"], [], ["d3.0"], []]);
});

describe("a closed store", () => {
  test("commits what was sent, refuses what comes, and can be closed again", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder() });
    const sent = store.commit(buildWriteSession("w1"));
    const closing = store.close();
    await expect(store.commit(buildWriteSession("w2"))).rejects.toMatchObject({ code: "closed" });
    await expect(store.read.session(adaKey)).rejects.toMatchObject({ code: "closed" });
    expect(await sent).toEqual({ status: "done", revision: 1 });
    await closing;
    await store.close();
  });
});
