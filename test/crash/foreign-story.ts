import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SessionEntry } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import { WebPerson } from "../stage/web-person.ts";
import { GatewayLives } from "./gateway-lives.ts";
import type { KillPlan } from "./kill-plan.ts";

const TOKEN = "a-token-for-everybody";
const ADA = "agent:main:webchat:dm:ada";
/** Longer than a start beside others takes. */
const PATIENCE = { timeoutMs: 60_000 };
const FIXTURE = new URL("../../packages/runtime-acp/test/fixture/agent.ts", import.meta.url).pathname;
const WORKSPACE = "workspace";
/** What runs when the agent's tool starts a program. */
const PROGRAM = `require("node:fs").appendFileSync("ran.txt", "once\\n");`;

/** Where a foreign agent's side of a conversation is written down, and what its turn has cost. */
export const ACP_POINTS: readonly KillPlan[] = [
  { point: "acp.before", hit: 1 },
  { point: "acp.after", hit: 1 },
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
];

type Line = Readonly<Record<string, unknown>>;

/** A gateway whose agent is a foreign one: the fixture of `packages/runtime-acp`, whose sessions and journal outlive it. */
export class ForeignWorld {
  readonly ada: WebPerson;
  readonly #lives: GatewayLives;
  #isOpen = false;

  constructor(args: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), "banyan-foreign-"));
    const places = ["--journal", join(folder, "journal"), "--sessions", join(folder, "sessions")];
    const agent = { command: process.execPath, args: [FIXTURE, ...places, ...args] };
    const agents = { main: { runtime: "acp", acp: { agent }, tools: { exec: true }, workspace: WORKSPACE } };
    const config = { stateDir: "./state", server: { port: 0, token: TOKEN }, log: { level: "warn" }, agents };
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
    mkdirSync(join(folder, WORKSPACE));
    writeFileSync(join(folder, WORKSPACE, "program.cjs"), PROGRAM);
    this.#lives = new GatewayLives(folder, { PATH: dirname(process.execPath) });
    this.ada = new WebPerson("ada", () => ({ url: this.#lives.gateway.url, token: TOKEN }));
  }

  /** What the agent's processes were asked, oldest first. */
  get journal(): readonly Line[] {
    const path = join(this.#lives.folder, "journal");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** Lines of the journal that tell of this, in order. */
  noted(what: string): readonly unknown[] {
    return this.journal.flatMap((line) => (what in line ? [line[what]] : []));
  }

  /** How often the program ran. */
  get ran(): number {
    const path = join(this.#lives.folder, WORKSPACE, "ran.txt");
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
  }

  async start(kill?: KillPlan): Promise<void> {
    await this.#lives.start(kill);
    this.#isOpen = true;
  }

  /** The gateway dies at a point that what is said leads to; another one takes its place. */
  async saysAndDies(text: string, kill: KillPlan): Promise<void> {
    await this.stop();
    await this.start(kill);
    await this.ada.says(text);
    await this.#lives.gateway.died(`${kill.point} (${kill.hit})`);
    this.ada.leave();
    await this.start();
  }

  async hears(what: string | RegExp): Promise<string> {
    return (await this.ada.hears(what, PATIENCE)).text;
  }

  /** Ada's answers, once nothing is under way any more. */
  async answers(): Promise<readonly string[]> {
    await this.#lives.rests();
    return (await this.ada.transcript()).flatMap(({ role, text }) => (role === "assistant" ? [text] : []));
  }

  /** The id of the agent's session that a conversation goes on in. */
  async readKept(sessionKey: string = ADA): Promise<unknown> {
    return (await this.#readRecord(sessionKey)).acp?.identity.agentSessionId;
  }

  /** What the conversation has cost, and up to which total of its agent that is counted. */
  async readCost(): Promise<unknown> {
    const { estimatedCostUsd: costUsd, acp } = await this.#readRecord(ADA);
    return { costUsd, spentUsd: acp?.spentUsd };
  }

  async #readRecord(sessionKey: string): Promise<SessionEntry> {
    const row = await this.#lives.read((read) => read.session(sessionKey));
    assert.ok(row !== undefined, `there is no session ${sessionKey}`);
    return JSON.parse(row.body);
  }

  readRuns(): Promise<readonly RunRow[]> {
    return this.#lives.read((read) => read.runs({ limit: 9 }));
  }

  /** In order, where one is open. */
  async stop(): Promise<void> {
    this.ada.leave();
    if (this.#isOpen) await this.#lives.gateway.stop();
    this.#isOpen = false;
  }

  close(): void {
    this.ada.leave();
    this.#lives.kill();
    rmSync(this.#lives.folder, { recursive: true, force: true });
  }
}
