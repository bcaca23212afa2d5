import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Step } from "@banyan/store";
import { migrateSchema } from "../src/database/schema.ts";
import { Projector } from "../src/projector/projector.ts";
import { findWatermark } from "../src/projector/watermark.ts";
import { createStepRunner, type StepRunner } from "../src/worker/step-runner.ts";
import { createTables, type Tables } from "../src/worker/tables.ts";
import {
  canParse,
  countBytesUpTo,
  isSame,
  listNames,
  punchHole,
  readFilesOf,
  readPrefix,
  readText,
  truncateSafely,
} from "./layout-file.ts";
import { createRandom } from "./seeded-random.ts";

const AGENTS = ["main", "coding"] as const;
const SESSIONS = 3;
const KILL = 0.05;
const LONG_TEXT = "grove ".repeat(300);

class Killed extends Error {}

interface OpenSession {
  key: string;
  readonly agentId: string;
  readonly ids: string[];
  revision: number;
}

/** A database that people write, and a projector that is killed at any of its writes, or loses what was not synced. */
export class LayoutWorld {
  readonly #folder: string;
  readonly #random: () => number;
  readonly #database = new DatabaseSync(":memory:");
  readonly #tables: Tables;
  readonly #run: StepRunner;
  readonly #sessions: OpenSession[] = [];
  #projector: Projector;
  /** The sessions.json of each agent, as it was looked at last. */
  readonly #seen = new Map<string, string | undefined>();
  #expected: ReadonlyMap<string, string> | undefined;
  /** Files whose transcript was removed. */
  readonly #kept = new Map<string, string>();
  #count = 0;
  #nowMs = 0;
  /** Power went: until the next start has looked, the tails of files are anything. */
  #isTorn = false;
  broken: string | undefined;

  constructor(seed: number, folder: string) {
    this.#folder = folder;
    this.#random = createRandom(seed);
    migrateSchema(this.#database, () => undefined);
    this.#tables = createTables(this.#database);
    this.#run = createStepRunner(this.#database, this.#tables, () => findWatermark(this.#folder)?.pos ?? 0);
    this.#projector = this.#begin();
  }

  close(): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Something happens; afterwards the layout is looked at. */
  async step(): Promise<void> {
    const lot = this.#random();
    if (lot < 0.15) this.#openOrReset();
    else if (lot < 0.6) this.#append();
    else if (lot < 0.66) this.#rekey();
    else if (lot < 0.7) this.#losePower();
    else if (lot < 0.74) this.#putAway();
    else if (lot < 0.78) this.#prune();
    else await this.#project(lot > 0.97);
    this.#look();
  }

  /** Nobody writes and nothing is killed any more: the layout is equal to the database. */
  async rest(): Promise<void> {
    this.#projector = this.#begin(false);
    await this.#projector.project([], true, this.#nowMs);
    this.#isTorn = false;
    this.#look();
    for (const [path, text] of this.#expectFiles())
      if (readText(path) !== text) this.#break(`I20: ${path} is not what the database holds when all is quiet`);
    for (const agentId of AGENTS) {
      const rows = this.#database
        .prepare("SELECT key, body FROM sessions WHERE agent_id = ? AND archived_at IS NULL")
        .all(agentId);
      const expected = Object.fromEntries(rows.map(({ key, body }) => [String(key), JSON.parse(String(body))]));
      const found = readText(join(this.#folder, "agents", agentId, "sessions.json")) ?? "{}";
      if (!isSame(JSON.parse(found), expected))
        this.#break(`I21: the sessions.json of ${agentId} is not the database's`);
    }
  }

  #begin(isMortal = true): Projector {
    const faultPoint = (point: string) => {
      this.#look(point);
      if (!isMortal || this.#random() >= KILL) return;
      throw new Killed(point);
    };
    const parts = { database: this.#database, targetDir: this.#folder, faultPoint, warn: () => undefined };
    return new Projector({ ...parts, nameOf: async (agentId) => agentId });
  }

  async #project(isFinal: boolean): Promise<void> {
    this.#nowMs += this.#random() < 0.2 ? 70_000 : Math.floor(this.#random() * 1_500);
    const agents = [...this.#tables.sessions.changedAgents];
    this.#tables.sessions.changedAgents.clear();
    try {
      await this.#projector.project(agents, isFinal, this.#nowMs);
      this.#isTorn = false;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.#projector = this.#begin();
    }
  }

  #commit(step: Step): void {
    this.#expected = undefined;
    const { status } = this.#run(step, this.#nowMs);
    if (status !== "done") throw new Error(`A step of the layout's world was ${status}: ${JSON.stringify(step)}`);
  }

  #openOrReset(): void {
    const known = this.#pick();
    this.#count += 1;
    const id = `session-${this.#count}`;
    const isNew = known === undefined || this.#sessions.length < SESSIONS;
    const agentId = AGENTS[this.#random() < 0.7 ? 0 : 1];
    const session = isNew ? { key: `agent:${agentId}:test:dm:${id}`, agentId, ids: [], revision: 0 } : known;
    if (isNew) this.#sessions.push(session);
    const body = JSON.stringify({ sessionId: id, label: "✓ \\ \n" });
    const place = { key: session.key, agentId: session.agentId, sessionId: id, file: `${id}.jsonl` };
    const write = { ...place, body, expectRevision: session.revision };
    this.#commit({ step: "write_session", writeId: id, session: write });
    session.revision += 1;
    session.ids.push(id);
  }

  /** Mostly to the present transcript, now and then a late entry to one before it. */
  #append(): void {
    const session = this.#pick();
    if (session === undefined) return;
    const { ids, key: sessionKey } = session;
    const sessionId = ids[this.#random() < 0.85 ? ids.length - 1 : 0] ?? "";
    const entries = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () => {
      this.#count += 1;
      const id = `entry-${this.#count}`;
      const text = this.#random() < 0.1 ? LONG_TEXT : "wörter ✓ 🌳";
      return { id, body: JSON.stringify({ id, text }) };
    });
    this.#commit({ step: "append_entries", sessionKey, sessionId, entries });
  }

  #rekey(): void {
    const session = this.#pick();
    const sessionId = session?.ids.at(-1);
    if (session === undefined || sessionId === undefined) return;
    this.#count += 1;
    const to = `agent:${session.agentId}:test:dm:moved-${this.#count}`;
    const move = { from: session.key, to, expectRevision: session.revision, body: JSON.stringify({ sessionId }) };
    const audit = { actor: "operator", action: "rekey", detail: "" };
    this.#commit({ step: "rekey", move, sessionId, audit });
    session.key = to;
    session.revision += 1;
  }

  #putAway(): void {
    const session = this.#pick();
    if (session === undefined) return;
    const audit = { actor: "operator", action: "archive", detail: "" };
    this.#commit({ step: "archive_session", key: session.key, audit });
    this.#sessions.splice(this.#sessions.indexOf(session), 1);
  }

  /** What was put away goes; its files stay as they are. */
  #prune(): void {
    const before = this.#expectFiles();
    this.#commit({ step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 3 });
    const left = readFilesOf(this.#database, this.#folder);
    for (const [path, text] of before) if (!left.has(path)) this.#kept.set(path, text);
  }

  /** What was appended behind the watermark may be short, have a hole, or end in zeros, and the process is gone. */
  #losePower(): void {
    const surePos = findWatermark(this.#folder)?.pos ?? 0;
    for (const path of this.#expectFiles().keys()) {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const sure = this.#kept.has(path) ? size : Math.min(size, countBytesUpTo(this.#database, path, surePos));
      const place = sure + Math.floor(this.#random() * (size - sure + 1));
      if (this.#random() < 0.5) truncateSafely(path, place);
      else punchHole(path, place, 20);
      if (size > sure && this.#random() < 0.3) writeFileSync(path, "\0".repeat(9), { flag: "a" });
    }
    this.#isTorn = true;
    this.#projector = this.#begin();
  }

  /** Each file as the database would have it, by its path. */
  #expectFiles(): ReadonlyMap<string, string> {
    this.#expected ??= new Map([...this.#kept, ...readFilesOf(this.#database, this.#folder)]);
    return this.#expected;
  }

  /**
   * I20: each file is a prefix of the database's order, up to the byte. I21: every sessions.json parses, and changes by
   * being put in its place as a whole.
   */
  #look(point = "rest"): void {
    const expected = this.#expectFiles();
    for (const agentId of AGENTS) {
      const folder = join(this.#folder, "agents", agentId);
      for (const name of listNames(join(folder, "sessions"))) {
        const path = join(folder, "sessions", name);
        if (!this.#isTorn && expected.get(path)?.startsWith(readPrefix(path)) !== true)
          this.#break(`I20: ${path} is no prefix of what the database holds`);
      }
      const sessions = readText(join(folder, "sessions.json"));
      if (sessions !== undefined && !canParse(sessions))
        this.#break(`I21: the sessions.json of ${agentId} does not parse`);
      const isPut = point === "rest" || point === "sessions_json.rename.after";
      if (!isPut && this.#seen.get(agentId) !== sessions)
        this.#break(`I21: the sessions.json of ${agentId} is written while people may read it`);
      this.#seen.set(agentId, sessions);
    }
  }

  #pick(): OpenSession | undefined {
    return this.#sessions[Math.floor(this.#random() * this.#sessions.length)];
  }

  #break(sentence: string): void {
    this.broken ??= sentence.replaceAll(this.#folder, "");
  }
}
