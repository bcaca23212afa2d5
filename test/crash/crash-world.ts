import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { GatewayLives } from "./gateway-lives.ts";

const PATIENCE_MS = 60_000;

/** A line of a conversation, and the one answer that it owes. */
export interface Line {
  readonly says: string;
  readonly answer: RegExp;
}

/** What Ada says in every run. */
const STORY: readonly Line[] = [
  { says: "count words in docs", answer: /6 words in 2 files/ },
  { says: "calc 2+3", answer: /\b5\b/ },
  { says: "/whoami", answer: /You are 7 on telegram/ },
  { says: "calc 6*7", answer: /\b42\b/ },
  { says: "/link", answer: /Your code is/ },
];

/** One state directory, one Telegram as witness, and the gateway processes that live and die between them. */
export class CrashWorld extends GatewayLives {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  /** All that Ada says, and what it owes her. */
  readonly story: readonly Line[];

  private constructor(
    telegram: TelegramEmulator,
    ada: TelegramUser,
    folder: string,
    story: readonly Line[],
    hurry: number | undefined,
  ) {
    const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" };
    super(folder, env, hurry);
    this.story = story;
    this.telegram = telegram;
    this.ada = ada;
  }

  /**
   * `more`: what Ada says behind the usual story; `config`: what else stands in the configuration; `hurry`: how many times
   * sooner the processes' own waits are over.
   */
  static async open(more: readonly Line[] = [], config: object = {}, hurry?: number): Promise<CrashWorld> {
    const folder = mkdtempSync(join(tmpdir(), "banyan-crash-"));
    mkdirSync(join(folder, "docs"));
    // Fewer than the agent gives to sub-agents: all of it is one conversation.
    for (const [name, text] of [
      ["a.md", "one and two"],
      ["b.md", "and three more"],
    ] as const) {
      writeFileSync(join(folder, "docs", name), text);
    }
    writeFileSync(
      join(folder, "banyan.config.json"),
      JSON.stringify({ stateDir: "./state", server: { port: 0 }, log: { level: "warn" }, ...config }),
    );
    const telegram = await createTelegramEmulator({ local: true });
    await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
    const ada = await telegram.user({ id: 7, firstName: "Ada" });
    return new CrashWorld(telegram, ada, folder, [...STORY, ...more], hurry);
  }

  async adaSaysAll(): Promise<void> {
    await this.telegram.sayAll(this.story.map(({ says }) => ({ user: this.ada, text: says })));
  }

  async close(): Promise<void> {
    this.kill();
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
    await this.stop();
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
