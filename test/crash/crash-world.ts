import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callControl, callGatewayStatus } from "@banyan/core";
import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import type { ChildSpec } from "./crash-child.ts";
import type { KillPlan } from "./kill-plan.ts";

const CHILD = new URL("./crash-child.ts", import.meta.url).pathname;
const PATIENCE_MS = 20_000;

/** What Ada says in every run, and the one answer that each of it owes her. */
const EXPECTED: readonly { readonly says: string; readonly answer: RegExp }[] = [
  { says: "count words in docs", answer: /6 words in 3 files/ },
  { says: "calc 2+3", answer: /\b5\b/ },
  { says: "/whoami", answer: /You are 7 on telegram/ },
  { says: "calc 6*7", answer: /\b42\b/ },
];

/** One state directory, one Telegram as witness, and the gateway processes that live and die between them. */
export class CrashWorld {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  readonly #folder: string;
  readonly #log: string[] = [];
  #child: ChildProcess | undefined;

  private constructor(telegram: TelegramEmulator, ada: TelegramUser, folder: string) {
    this.telegram = telegram;
    this.ada = ada;
    this.#folder = folder;
  }

  static async open(): Promise<CrashWorld> {
    const folder = mkdtempSync(join(tmpdir(), "banyan-crash-"));
    mkdirSync(join(folder, "docs"));
    for (const [name, text] of [
      ["a.md", "one"],
      ["b.md", "two words"],
      ["c.md", "and three more"],
    ] as const) {
      writeFileSync(join(folder, "docs", name), text);
    }
    writeFileSync(
      join(folder, "banyan.config.json"),
      JSON.stringify({ stateDir: "./state", server: { port: 0 }, log: { level: "warn" } }),
    );
    const telegram = await createTelegramEmulator({});
    await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
    return new CrashWorld(telegram, await telegram.user({ id: 7, firstName: "Ada" }), folder);
  }

  /** Starts a gateway; resolves when it is open, or has died on the way. */
  async start(kill?: KillPlan): Promise<void> {
    const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: this.telegram.url, TELEGRAM_ALLOW_FROM: "7" };
    const spec: ChildSpec = { folder: this.#folder, env, ...(kill === undefined ? {} : { kill }) };
    const child = spawn(process.execPath, [CHILD, JSON.stringify(spec)], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#log.push(text));
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.equal(child.exitCode, null, `the gateway does not start\n${this.#log.join("")}`);
  }

  async adaSaysAll(): Promise<void> {
    await this.telegram.sayAll(EXPECTED.map(({ says }) => ({ user: this.ada, text: says })));
  }

  /** Waits for the process to be dead; fails when the point it should die at is not passed. */
  async died(what: string): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.signalCode !== null) return;
    const limit = AbortSignal.timeout(PATIENCE_MS);
    await once(child, "exit", { signal: limit }).catch(() =>
      assert.fail(`${what} was never passed\n${this.#log.join("")}`),
    );
    assert.equal(child.signalCode, "SIGKILL", `${what}: the process ended otherwise\n${this.#log.join("")}`);
  }

  /** Waits until the process has died, or has answered everything and rests; then it is killed. */
  async diedOrRested(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.signalCode !== null) return;
    const rest = new AbortController();
    const exit = once(child, "exit");
    // A gateway that has just died answers no status: that is what is waited for.
    await Promise.race([exit, this.#settled(rest.signal).catch(() => exit)]);
    rest.abort();
    child.kill("SIGKILL");
    await exit;
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  /** Ends the gateway in order. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    child.kill("SIGTERM");
    await once(child, "exit");
    return child.exitCode;
  }

  async close(): Promise<void> {
    this.kill();
    await this.telegram.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Every answer came; once, or with each further copy marked; nothing else came; the files agree. */
  async checkComplete(): Promise<void> {
    for (const { answer } of EXPECTED) await this.#heard(answer);
    await this.#settled();
    const messages = (await this.ada.messages()).map(({ text }) => text);
    for (const { says, answer } of EXPECTED) {
      const copies = messages.filter((text) => answer.test(text));
      const unmarked = copies.filter((text) => !text.startsWith("(may be repeated)"));
      assert.ok(
        copies.length >= 1 && unmarked.length <= 1,
        this.#story(`${says}: ${copies.length} answers, ${unmarked.length} unmarked`, messages),
      );
    }
    const strays = messages.filter((text) => !EXPECTED.some(({ answer }) => answer.test(text)));
    assert.deepEqual(strays, [], this.#story("messages that nothing asked for", messages));
    const order = EXPECTED.filter(({ says }) => !says.startsWith("/")).map(({ answer }) =>
      messages.findIndex((text) => answer.test(text)),
    );
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
      this.#story("answers out of order", messages),
    );
    assert.equal(await this.stop(), 0, `the gateway did not stop in order\n${this.#log.join("")}`);
    this.#checkFiles();
  }

  async #heard(answer: RegExp): Promise<void> {
    try {
      await this.ada.hears((event) => answer.test(event.text), { timeoutMs: PATIENCE_MS });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      assert.fail(`${reason}\n${this.#log.join("")}`);
    }
  }

  /** So many deliveries are written and not settled. */
  async deliveriesWait(count: number): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    for (;;) {
      const { counts } = await callGatewayStatus(join(this.#folder, "state"));
      if (counts.unsettledDeliveries >= count) return;
      assert.ok(Date.now() < due, `no ${count} deliveries wait: ${JSON.stringify(counts)}`);
    }
  }

  /** Nothing waits and nothing is under way: what is in the chat now is all there will be. */
  async #settled(signal?: AbortSignal): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (signal?.aborted !== true) {
      const status: unknown = await callControl(join(this.#folder, "state"), "status");
      const text = JSON.stringify(status);
      if (/"waitingItems":0,"activeLanes":0,"unsettledDeliveries":0/.test(text)) return;
      assert.ok(Date.now() < due, `the gateway does not come to rest: ${text}`);
    }
  }

  /** The readable transcript: whole lines, each entry once, in order. */
  #checkFiles(): void {
    const sessions = join(this.#folder, "state", "agents", "main", "sessions");
    const lines = readdirSync(sessions).flatMap((file) =>
      readFileSync(join(sessions, file), "utf8").split("\n").filter(Boolean),
    );
    const entries = lines.map((line): { id: string; seq: number; role: string; content: { text?: string }[] } =>
      JSON.parse(line),
    );
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
      "the transcript has a gap or a repeat",
    );
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, "an entry stands twice in the transcript");
    const said = entries.filter(({ role }) => role === "user").map(({ content }) => content[0]?.text);
    assert.deepEqual(
      said,
      EXPECTED.map(({ says }) => says).filter((says) => !says.startsWith("/")),
      "the transcript's inputs",
    );
    const store: unknown = JSON.parse(
      readFileSync(join(this.#folder, "state", "agents", "main", "sessions.json"), "utf8"),
    );
    assert.deepEqual(Object.keys(Object(store)), ["agent:main:telegram:dm:7"]);
  }

  #story(what: string, messages: readonly string[]): string {
    return `${what}\nin the chat:\n${messages.map((text) => `  ${text}`).join("\n")}\nlog:\n${this.#log.join("")}`;
  }
}
