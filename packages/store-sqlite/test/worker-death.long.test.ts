import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { StoreError } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const TEN_MINUTES_MS = 600_000;

/** A module whose fault point ends the thread that calls it at one name; `once`: over all threads. */
function writeFaultPoint(folder: string, name: string, once: boolean): string {
  const path = join(folder, "fault-point.mjs");
  const mark = join(folder, "died-once");
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from "node:fs";
     export default (name) => {
       if (name !== ${JSON.stringify(name)} || (${once} && existsSync(${JSON.stringify(mark)}))) return;
       writeFileSync(${JSON.stringify(mark)}, "");
       throw new Error("killed at " + name);
     };`,
  );
  return pathToFileURL(path).href;
}

/** A log that keeps what was said, and a list of the failures that were told. */
function createWitness() {
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: { debug: note, info: note, warn: note, error: note } };
}

describe("when the worker dies", () => {
  test("in mid-batch, it is started again: what was sent rejects as unknown, the rest is done, nothing stands twice", async () => {
    const { lines, log } = createWitness();
    const store = await openTestStore({ stateDir: createTemporaryFolder(), log });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    const steps = Array.from({ length: 600 }, (_, index) => buildReceive(`m${index}`, { laneCap: 1_000 }));
    const outcomes = Promise.allSettled(steps.map((step) => store.commit(step)));
    const reading = store.read.session(adaKey);
    await Promise.resolve();
    await store.terminateWriter();
    const codes = (await outcomes).map((outcome) =>
      outcome.status === "fulfilled" ? "done" : Reflect.get(outcome.reason, "code"),
    );
    expect(new Set(codes)).toEqual(new Set(["commit_unknown", "done"]));
    expect(await reading).toMatchObject({ key: adaKey });
    expect(lines).toEqual([expect.stringMatching(/^the store's worker died; it is started again/)]);

    for (const step of steps) expect(await store.commit(step)).toMatchObject({ status: "done" });
    expect(await store.read.counts()).toMatchObject({ waitingItems: 599, activeLanes: 1 });
    expect(failures).toEqual([]);
  });

  test.each([
    { name: "store.commit.before", answer: { status: "done", revision: 1 } },
    { name: "store.commit.after", answer: { status: "already", revision: 1 } },
  ])("at $name, the same step sent again is $answer.status", async ({ name, answer }) => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, faultPointModule: writeFaultPoint(stateDir, name, true) });
    const sent = store.commit(buildWriteSession("w1"));
    const read = store.read.session("nobody");
    await expect(sent).rejects.toMatchObject({ code: "commit_unknown", message: /killed at/ });
    expect(await read).toBeUndefined();
    expect(await store.commit(buildWriteSession("w1"))).toEqual(answer);
    expect(await store.read.session(adaKey)).toMatchObject({ revision: 1 });
  });

  test("nobody else comes in between: the state directory stays locked", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const dying = store.terminateWriter();
    const asking = store.read.counts();
    await expect(openSqliteStore({ stateDir })).rejects.toMatchObject({ code: "locked", holderPid: process.pid });
    await dying;
    await expect(openSqliteStore({ stateDir })).rejects.toMatchObject({ code: "locked", holderPid: process.pid });
    expect(await asking).toMatchObject({ sessions: 0 });
  });

  test("a second time soon, the store has failed: it is told once, later steps are refused, the lock is free", async () => {
    const stateDir = createTemporaryFolder();
    const faultPointModule = writeFaultPoint(stateDir, "store.commit.before", false);
    const store = await openTestStore({ stateDir, faultPointModule });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    for (let death = 0; death < 2; death += 1) {
      await expect(store.commit(buildWriteSession("w1"))).rejects.toMatchObject({ code: "commit_unknown" });
    }
    expect(failures).toMatchObject([{ code: "unusable", message: /killed at store.commit.before.*start again/ }]);
    await expect(store.commit(buildReceive("later"))).rejects.toMatchObject({ code: "closed" });
    const told = await new Promise<StoreError>((resolve) => store.onFailure(resolve));
    expect(told.code).toBe("unusable");
    await store.close();

    const next = await openTestStore({ stateDir });
    expect(await next.commit(buildWriteSession("w1"))).toEqual({ status: "done", revision: 1 });
  });

  test("a second time after ten minutes of health, it is started again", async () => {
    const clock = createManualClock();
    const store = await openTestStore({ stateDir: createTemporaryFolder(), clock });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    for (let death = 0; death < 3; death += 1) {
      await store.terminateWriter();
      expect(await store.read.counts()).toMatchObject({ sessions: 0 });
      clock.advance(TEN_MINUTES_MS);
    }
    expect(failures).toEqual([]);
    await store.terminateWriter();
    clock.advance(TEN_MINUTES_MS - 1);
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
    await store.terminateWriter();
    await expect(store.read.counts()).rejects.toMatchObject({ code: "closed" });
  });

  test("and the database was removed, the worker that is started again does not begin an empty store", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    const failed = new Promise<StoreError>((resolve) => store.onFailure(resolve));
    for (const name of readdirSync(stateDir)) rmSync(join(stateDir, name));
    await store.terminateWriter();
    expect(await failed).toMatchObject({ code: "lost", message: expect.stringContaining("banyan.db again: it was") });
    expect(existsSync(join(stateDir, "banyan.db"))).toBe(false);
  });

  test("and the database was replaced, the store has failed with that reason", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    await store.commit(buildWriteSession("w1"));
    const failed = new Promise<StoreError>((resolve) => store.onFailure(resolve));
    for (const end of ["", "-wal", "-shm"]) rmSync(join(stateDir, `banyan.db${end}`), { force: true });
    mkdirSync(join(stateDir, "banyan.db"));
    await store.terminateWriter();
    expect(await failed).toMatchObject({ code: "lost", message: /^opening .*banyan\.db again: it was removed/ });
    await expect(store.commit(buildWriteSession("w2"))).rejects.toMatchObject({ code: "closed" });
  });

  test("while the store is closed, what was asked before is still answered", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const sent = Promise.allSettled(
      Array.from({ length: 600 }, (_, index) => store.commit(buildReceive(`m${index}`, { laneCap: 1_000 }))),
    );
    await Promise.resolve();
    const dying = store.terminateWriter();
    await Promise.all([store.close(), dying]);
    expect((await sent).at(-1)).toMatchObject({ status: "fulfilled", value: { status: "done" } });
    expect(await (await openTestStore({ stateDir })).commit(buildReceive("m599"))).toMatchObject({
      items: [{ outcome: "duplicate" }],
    });
  });
});

describe("when the projecting worker dies", () => {
  const read = (stateDir: string) => readFileSync(join(stateDir, "agents", "main", "sessions", "ada-1.jsonl"), "utf8");

  test("it is started again, and the layout is complete", async () => {
    const { lines, log } = createWitness();
    const stateDir = createTemporaryFolder();
    const faultPointModule = writeFaultPoint(stateDir, "jsonl.append.q2", true);
    const store = await openTestStore({ stateDir, faultPointModule, log });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1", "e2"));
    await store.projectNow();
    expect(
      read(stateDir)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["e1", "e2"]);
    expect(lines).toEqual([expect.stringMatching(/^the readable layout's worker died; it is started again/)]);
  });

  test("a second time soon, the layout is given up with a word, and the store goes on", async () => {
    const { lines, log } = createWitness();
    const stateDir = createTemporaryFolder();
    const faultPointModule = writeFaultPoint(stateDir, "jsonl.append.q2", false);
    const store = await openTestStore({ stateDir, faultPointModule, log });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    await store.projectNow();
    expect(lines).toEqual([
      expect.stringMatching(/started again/),
      expect.stringMatching(/^the readable layout is not written until the next start; the store goes on/),
    ]);
    expect(await store.commit(buildAppend("e2"))).toEqual({ status: "done" });
    await store.projectNow();
  });
});

describe("when the keeping worker dies", () => {
  test("its errand is begun once more", async () => {
    const { lines, log } = createWitness();
    const stateDir = createTemporaryFolder();
    const faultPointModule = writeExit(stateDir, true);
    const store = await openTestStore({ stateDir, faultPointModule, log });
    await store.commit(buildWriteSession("w1"));
    expect(existsSync((await store.backUpNow()) ?? "")).toBe(true);
    expect(lines).toEqual([]);
  });

  test("a second time, that is told, and the store goes on", async () => {
    const { lines, log } = createWitness();
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, faultPointModule: writeExit(stateDir, false), log });
    await store.commit(buildWriteSession("w1"));
    expect(await store.backUpNow()).toBeUndefined();
    expect(lines).toEqual([expect.stringMatching(/^looking after the store's file failed .*its worker ended/)]);
    expect(await store.commit(buildAppend("e1"))).toEqual({ status: "done" });
  });

  /** A module whose fault point ends the keeper's thread without a word. */
  function writeExit(folder: string, once: boolean): string {
    const path = join(folder, "exit-point.mjs");
    const mark = JSON.stringify(join(folder, "ended-once"));
    writeFileSync(
      path,
      `import { existsSync, writeFileSync } from "node:fs";
       export default (name) => {
         if (name !== "store.backup.before" || (${once} && existsSync(${mark}))) return;
         writeFileSync(${mark}, "");
         process.exit(1);
       };`,
    );
    return pathToFileURL(path).href;
  }
});
