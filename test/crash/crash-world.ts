import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callControl, callGatewayStatus } from "@banyan/core";
import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import type { ChildSpec } from "./crash-child.ts";
import { GatewayProcess } from "./gateway-process.ts";
import type { KillPlan } from "./kill-plan.ts";

const PATIENCE_MS = 20_000;

/** A line of a conversation, and the one answer that it owes. */
export interface Line {
  readonly says: string;
  readonly answer: RegExp;
}

/** What Ada says in every run. */
const STORY: readonly Line[] = [
  { says: "count words in docs", answer: /6 words in 3 files/ },
  { says: "calc 2+3", answer: /\b5\b/ },
  { says: "/whoami", answer: /You are 7 on telegram/ },
  { says: "calc 6*7", answer: /\b42\b/ },
  { says: "/link", answer: /Your code is/ },
];

/** One state directory, one Telegram as witness, and the gateway processes that live and die between them. */
export class CrashWorld {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  readonly folder: string;
  /** All that Ada says, and what it owes her. */
  readonly story: readonly Line[];
  readonly #log: string[] = [];
  #gateway: GatewayProcess | undefined;

  private constructor(telegram: TelegramEmulator, ada: TelegramUser, folder: string, story: readonly Line[]) {
    this.story = story;
    this.telegram = telegram;
    this.ada = ada;
    this.folder = folder;
  }

  /** `more`: what Ada says behind the usual story; `config`: what else stands in the configuration. */
  static async open(more: readonly Line[] = [], config: object = {}): Promise<CrashWorld> {
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
      JSON.stringify({ stateDir: "./state", server: { port: 0 }, log: { level: "warn" }, ...config }),
    );
    const telegram = await createTelegramEmulator({});
    await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
    return new CrashWorld(telegram, await telegram.user({ id: 7, firstName: "Ada" }), folder, [...STORY, ...more]);
  }

  /** Starts a gateway; resolves when it is open, or has died on the way. */
  async start(kill?: KillPlan, store: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
    this.#gateway = await GatewayProcess.start(this.#describe(kill, store), this.#log);
    assert.equal(this.#gateway.exitCode, null, `the gateway does not start\n${this.log}`);
    return this.#gateway;
  }

  /** Starts one more gateway on the same state directory. Resolves with what it says when it has given up. */
  async startSecond(): Promise<string> {
    const log: string[] = [];
    const second = await GatewayProcess.start(this.#describe(undefined, {}), log);
    const isOpen = !second.hasEnded;
    second.signal("SIGKILL");
    assert.equal(isOpen, false, "a second gateway opened on the same state directory");
    return log.join("");
  }

  #describe(kill: KillPlan | undefined, store: Readonly<Record<string, string>>): ChildSpec {
    const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: this.telegram.url, TELEGRAM_ALLOW_FROM: "7" };
    return { folder: this.folder, env, store, ...(kill === undefined ? {} : { kill }) };
  }

  async adaSaysAll(): Promise<void> {
    await this.telegram.sayAll(this.story.map(({ says }) => ({ user: this.ada, text: says })));
  }

  get gateway(): GatewayProcess {
    assert.ok(this.#gateway !== undefined, "no gateway was started");
    return this.#gateway;
  }

  get log(): string {
    return this.#log.join("");
  }

  /** Resolves when the gateways have logged a line of this kind. */
  async logs(line: RegExp): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (!line.test(this.log)) {
      await this.status();
      assert.ok(Date.now() < due, `the log has no ${line}:\n${this.log}`);
    }
  }

  /** What the running gateway says of itself. */
  status(): Promise<unknown> {
    return callControl(join(this.folder, "state"), "status");
  }

  /** Waits until the process has died, or has answered everything and rests; then it is killed. */
  async diedOrRested(): Promise<void> {
    const rest = new AbortController();
    const exit = this.gateway.ended();
    // A gateway that has just died answers no status: that is what is waited for.
    await Promise.race([exit, this.rests(rest.signal).catch(() => exit)]);
    rest.abort();
    this.gateway.signal("SIGKILL");
    await exit;
  }

  async close(): Promise<void> {
    this.#gateway?.signal("SIGKILL");
    await this.telegram.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Every answer came; once, or with each further copy marked; nothing else came; the files agree. */
  async checkComplete(): Promise<void> {
    for (const { answer } of this.story) await this.#heard(answer);
    await this.rests();
    const messages = (await this.ada.messages()).map(({ text }) => text);
    for (const { says, answer } of this.story) {
      const copies = messages.filter((text) => answer.test(text));
      const unmarked = copies.filter((text) => !text.startsWith("(may be repeated)"));
      assert.ok(
        copies.length >= 1 && unmarked.length <= 1,
        this.#tell(`${says}: ${copies.length} answers, ${unmarked.length} unmarked`, messages),
      );
    }
    const strays = messages.filter((text) => !this.story.some(({ answer }) => answer.test(text)));
    assert.deepEqual(strays, [], this.#tell("messages that nothing asked for", messages));
    const order = this.story
      .filter(({ says }) => !says.startsWith("/"))
      .map(({ answer }) => messages.findIndex((text) => answer.test(text)));
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
      this.#tell("answers out of order", messages),
    );
    assert.equal(await this.gateway.stop(), 0, `the gateway did not stop in order\n${this.log}`);
    this.#checkFiles();
  }

  async #heard(answer: RegExp): Promise<void> {
    try {
      await this.ada.hears((event) => answer.test(event.text), { timeoutMs: PATIENCE_MS });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      assert.fail(`${reason}\n${this.log}`);
    }
  }

  /** So many deliveries are written and not settled. */
  async deliveriesWait(count: number): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    for (;;) {
      const { counts } = await callGatewayStatus(join(this.folder, "state"));
      if (counts.unsettledDeliveries >= count) return;
      assert.ok(Date.now() < due, `no ${count} deliveries wait: ${JSON.stringify(counts)}`);
    }
  }

  /** Nothing waits and nothing is under way: what is in the chat now is all there will be. */
  async rests(signal?: AbortSignal): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (signal?.aborted !== true) {
      const text = JSON.stringify(await this.status());
      if (/"waitingItems":0,"activeLanes":0,"unsettledDeliveries":0/.test(text)) return;
      assert.ok(Date.now() < due, `the gateway does not come to rest: ${text}`);
    }
  }

  /** The readable transcript: whole lines, each entry once, in order. */
  #checkFiles(): void {
    const sessions = join(this.folder, "state", "agents", "main", "sessions");
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
      this.story.map(({ says }) => says).filter((says) => !says.startsWith("/")),
      "the transcript's inputs",
    );
    const store: unknown = JSON.parse(
      readFileSync(join(this.folder, "state", "agents", "main", "sessions.json"), "utf8"),
    );
    assert.deepEqual(Object.keys(Object(store)), ["agent:main:telegram:dm:7"]);
  }

  #tell(what: string, messages: readonly string[]): string {
    return `${what}\nin the chat:\n${messages.map((text) => `  ${text}`).join("\n")}\nlog:\n${this.log}`;
  }
}
