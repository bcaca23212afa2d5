import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { DISCORD_TOKEN } from "../stage/discord-town.ts";
import { type BenchFolder, makeBenchFolder } from "./bench-folder.ts";
import type { ChatDoor } from "./chat-line.ts";
import type { DiscordBenchTown } from "./discord-load.ts";
import { waitForFirstPoll } from "./first-poll.ts";
import type { SubjectKind, SubjectSpec } from "./subject.ts";
import type { Town } from "./town.ts";

const SUBJECT = new URL("./subject.ts", import.meta.url).pathname;
const BUILT_SUBJECT = new URL("subject.js", import.meta.url).pathname;
const CHAT_SUBJECT = new URL("./chat-subject.ts", import.meta.url).pathname;
const DISCORD_CONFIG = {
  agents: { main: { runtime: "echo" } },
  channels: { discord: { accounts: { default: { dmPolicy: "open" } } } },
};
const OPEN_PATIENCE_MS = 60_000;
const QUIET_LOOK_MS = 1_000;
const QUIET_SHARE = 0.1;
const QUIET_PATIENCE_LOOKS = 120;

export interface Figures {
  /** Of all threads. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** One subject under test, from its spawn to its end. */
export class SubjectProcess {
  readonly #child: ChildProcess;
  /** Milliseconds from the spawn to the first poll that the platform saw; over the web chat, to an open gateway. */
  readonly openedMs: number;

  protected constructor(child: ChildProcess, openedMs: number) {
    this.#child = child;
    this.openedMs = openedMs;
  }

  /** `form`: run as its source is, or as if it were built. */
  static async open(kind: SubjectKind, town: Town, form: "source" | "built" = "source"): Promise<SubjectProcess> {
    const folder = makeBenchFolder();
    const spec: SubjectSpec = { kind, token: BOT_TOKEN, apiBaseUrl: town.telegram.url, folder: folder.path };
    const program = form === "source" ? SUBJECT : BUILT_SUBJECT;
    const child = spawnSubject([...(kind === "banyan" ? readNodeOptions() : []), program, JSON.stringify(spec)]);
    return new SubjectProcess(child, await waitForFirstPoll(child, town));
  }

  /** The same on an emulated Discord; it is open when the bot is connected. */
  static async openOnDiscord(
    kind: "discord.js" | "banyan on discord",
    { discord }: DiscordBenchTown,
  ): Promise<SubjectProcess> {
    const begun = performance.now();
    const { path: folder } = makeBenchFolder(DISCORD_CONFIG);
    const spec: SubjectSpec = { kind, token: DISCORD_TOKEN, apiBaseUrl: discord.url, folder };
    const options = kind === "discord.js" ? [] : readNodeOptions();
    const child = spawnSubject([...options, SUBJECT, JSON.stringify(spec)]);
    await discord.gateway.connected({ timeoutMs: OPEN_PATIENCE_MS });
    return new SubjectProcess(child, performance.now() - begun);
  }

  async figures(): Promise<Figures> {
    const answer = once(this.#child, "message");
    this.#child.send("figures");
    const [figures] = await answer;
    return figures;
  }

  /** Lets the agent `held` go on. */
  release(): void {
    this.#child.send("release");
  }

  /** Resolves when the subject does next to nothing, such as after the writing of a layout. */
  async quiet(): Promise<void> {
    let before = await this.figures();
    for (let look = 0; look < QUIET_PATIENCE_LOOKS; look += 1) {
      await wait(QUIET_LOOK_MS);
      const now = await this.figures();
      if (now.cpuSeconds - before.cpuSeconds < (QUIET_SHARE * QUIET_LOOK_MS) / 1000) return;
      before = now;
    }
  }

  /** It ends by itself, so that a profile is written. */
  async close(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.stdin?.end();
    await exit;
  }
}

/** A gateway that is talked to over its web chat. */
export class ChatSubjectProcess extends SubjectProcess {
  readonly door: ChatDoor;

  private constructor(child: ChildProcess, openedMs: number, door: ChatDoor) {
    super(child, openedMs);
    this.door = door;
  }

  static async start(folder: BenchFolder): Promise<ChatSubjectProcess> {
    const begun = performance.now();
    const child = spawnSubject([...readNodeOptions(), CHAT_SUBJECT, folder.path]);
    const [door] = await Promise.race([once(child, "message"), once(child, "exit").then(refuseDead)]);
    return new ChatSubjectProcess(child, performance.now() - begun, door);
  }
}

function spawnSubject(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit", "ipc"] });
}

function refuseDead([exitCode]: readonly unknown[]): never {
  throw new Error(`a subject ended with ${exitCode} before it was open`);
}

/** `BANYAN_BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=profiles"` profiles the gateway in every measured run. */
function readNodeOptions(): readonly string[] {
  return (process.env.BANYAN_BENCH_NODE_OPTIONS ?? "").split(" ").filter((option) => option !== "");
}
