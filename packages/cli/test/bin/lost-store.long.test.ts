import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { type BanyanProcess, makeFolder, runBanyan, spawnBanyan, stateDirOf } from "./banyan-process.ts";

const PEOPLE = Array.from({ length: 18 }, (_, index) => `person-${index}`);
/** Many processes one after the other. */
const LIMIT_MS = 180_000;

interface Door {
  readonly process: BanyanProcess;
  /** The status of the answer; 0: there was none. */
  says(peer: string, text: string): Promise<number>;
}

/** A real gateway of its own process, and its web chat. */
async function start(folder: string, args: readonly string[] = []): Promise<Door> {
  const process = spawnBanyan(folder, ["start", ...args]);
  const [, url = "", token = ""] = /● web chat +(http:\S+)\/\?token=(\S+)/.exec(await process.prints(/Ready in/)) ?? [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    process,
    async says(peer, text) {
      const body = JSON.stringify({ peer, text });
      const posted = fetch(`${url}/api/webchat/messages`, { method: "POST", headers, body });
      return posted.then(({ status }) => status).catch(() => 0);
    },
  };
}

async function end({ process }: Door, signal: NodeJS.Signals): Promise<void> {
  process.kill(signal);
  await process.ended;
}

const readSessions = (folder: string): string =>
  readFileSync(join(stateDirOf(folder), "agents", "main", "sessions.json"), "utf8");

/** Eighteen people have talked, a backup was made, and the gateway was killed right after it took one more message. */
async function makeKilled(): Promise<string> {
  const folder = makeFolder();
  const first = await start(folder);
  const taken = await Promise.all(PEOPLE.map((peer) => first.says(peer, "calc 6*7")));
  expect(taken).toEqual(PEOPLE.map(() => 202));
  await end(first, "SIGTERM");
  const store = await openSqliteStore({ stateDir: stateDirOf(folder) });
  await store.backUpNow();
  await store.close();
  copyFileSync(join(stateDirOf(folder), "banyan.db"), join(folder, "old-copy.db"));
  const second = await start(folder);
  expect(await second.says("person-0", "calc 1+1")).toBe(202);
  await end(second, "SIGKILL");
  expect(Object.keys(JSON.parse(readSessions(folder)))).toHaveLength(PEOPLE.length);
  return folder;
}

const LOSSES: readonly { readonly what: string; lose(stateDir: string, copy: string): void; readonly says: RegExp }[] =
  [
    {
      what: "rm banyan.db",
      lose: (stateDir) => rmSync(join(stateDir, "banyan.db")),
      says: /banyan\.db is missing, but the directory has store\.json, banyan\.db-wal, backups\/ and agents\/ of a store; /,
    },
    {
      what: "truncate -s 0 banyan.db",
      lose: (stateDir) => truncateSync(join(stateDir, "banyan.db")),
      says: /banyan\.db is empty, but the directory has store\.json, /,
    },
    {
      what: "rm banyan.db-wal",
      lose: (stateDir) => rmSync(join(stateDir, "banyan.db-wal")),
      says: /banyan\.db is older than the store was .* or its log banyan\.db-wal was removed; /,
    },
    {
      what: "cp old-copy.db banyan.db, without its log",
      lose(stateDir, copy) {
        rmSync(join(stateDir, "banyan.db-wal"));
        copyFileSync(copy, join(stateDir, "banyan.db"));
      },
      says: /banyan\.db is older than the store was /,
    },
  ];

describe("a gateway whose store was lost", () => {
  test("does not start, leaves sessions.json alone, says what helps everywhere, and that helps", {
    timeout: LIMIT_MS,
  }, async () => {
    const killed = await makeKilled();
    for (const { what, lose, says } of LOSSES) {
      const folder = join(killed, what.replaceAll(/[^a-z]+/g, "-"));
      mkdirSync(folder);
      cpSync(stateDirOf(killed), stateDirOf(folder), { recursive: true });
      lose(stateDirOf(folder), join(killed, "old-copy.db"));
      const before = readSessions(folder);
      const [started, status, doctor, listed] = await Promise.all(
        [["start"], ["status"], ["doctor", "--json"], ["sessions", "list"]].map((words) => runBanyan(folder, words)),
      );
      expect([what, started?.code, started?.stderr]).toEqual([what, 1, expect.stringMatching(says)]);
      expect(started?.stderr).toMatch(
        /; run "banyan restore" for the newest backup \(banyan-[^)]+\.db\), or "banyan start --new-store"/,
      );
      expect([what, status?.code, status?.stdout]).toEqual([what, 0, expect.stringMatching(says)]);
      if (/older/.test(says.source)) expect([what, listed?.stdout]).toEqual([what, expect.stringMatching(/person-0/)]);
      else expect([what, listed?.code, listed?.stderr]).toEqual([what, 1, expect.stringMatching(says)]);
      expect(JSON.parse(doctor?.stdout ?? "")).toMatchObject({
        ok: false,
        findings: expect.arrayContaining([
          {
            subject: "database",
            level: "error",
            text: expect.any(String),
            cure: expect.stringContaining("banyan restore"),
          },
        ]),
      });
      expect(readSessions(folder)).toBe(before);
    }
    const folder = join(killed, "rm-banyan-db");
    const list = await runBanyan(folder, ["backup", "list", "--json"]);
    const [newest] = JSON.parse(list.stdout);
    expect((await runBanyan(folder, ["backup", "list"])).stdout).toContain(newest.name);
    const restored = await runBanyan(folder, ["restore"]);
    expect([restored.code, restored.stderr, restored.stdout]).toEqual([
      0,
      "",
      expect.stringMatching(/Restored .*backups\/banyan-.*\.db: 18 sessions\.\n[\s\S]*kept in .*replaced\//),
    ]);
    const next = await start(folder);
    const refused = await runBanyan(folder, ["restore"]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/Another process \(PID \d+\) uses this directory; stop it/),
    ]);
    expect(await next.says("person-0", "calc 2+2")).toBe(202);
    await end(next, "SIGTERM");
    expect(Object.keys(JSON.parse(readSessions(folder)))).toHaveLength(PEOPLE.length);
  });

  test("begins with nothing where that is asked for, and keeps what is left", { timeout: LIMIT_MS }, async () => {
    const folder = makeFolder();
    const first = await start(folder, ["--new-store"]);
    expect(await first.says("ada", "calc 6*7")).toBe(202);
    await end(first, "SIGTERM");
    writeFileSync(join(stateDirOf(folder), "banyan.db"), "");
    const next = await start(folder, ["--new-store"]);
    await end(next, "SIGTERM");
    const [kept = ""] = readdirSync(join(stateDirOf(folder), "replaced"));
    const sessions = join(stateDirOf(folder), "replaced", kept, "agents", "main", "sessions.json");
    expect(readFileSync(sessions, "utf8")).toContain("webchat:dm:ada");
    const again = await runBanyan(folder, ["start", "--new-store"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/its store can be opened; omit --new-store/)]);
  });
});
