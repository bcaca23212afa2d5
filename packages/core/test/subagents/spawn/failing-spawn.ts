import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { openTestData, returnTestData } from "../../open-test-store.ts";
import type { Player, TreeDesk } from "../tree-desk.ts";
import { SpawnGround } from "./spawn-ground.ts";
import { type SpawnPlay, SpawnProcess } from "./spawn-process.ts";

const SECOND_MS = 1_000;
const LONGEST_START_MS = 3_600 * SECOND_MS;

/** A spawn in which something fails, over as many processes as it takes, until everything has come to rest. */
export class FailingSpawn {
  readonly ground: SpawnGround = new SpawnGround();
  readonly data: InlineDatabase = openTestData();
  /** What the latest attempt was answered. */
  told: { readonly status: string; readonly runId?: string; readonly error?: string } | undefined;
  desk: TreeDesk;
  readonly #play: SpawnPlay;
  #process: SpawnProcess;
  #attempts = 0;
  #isFaulty = true;
  #faults = 0;

  constructor(play: SpawnPlay) {
    this.#play = play;
    if (play.fault.kind === "platform") this.ground.mood = play.fault.mood;
    this.#process = this.#open(play.deaths[0]);
    this.desk = this.#process.desk;
  }

  async run(): Promise<void> {
    const { deaths, from } = this.#play;
    await this.#start();
    await this.#process.lives(this.desk.says(this.#buildWords()));
    await this.#live();
    for (let at = 1; this.#process.isOver; at += 1) {
      await this.#bury();
      this.#process = this.#open(deaths[at]);
      this.desk = this.#process.desk;
      await this.#start();
      await this.#live();
    }
    if (from === "person") this.told = await this.#readAnswer();
  }

  /** A start may have to wait, such as for room on the disk. */
  async #start(): Promise<void> {
    let isUp = false;
    const up = this.#process.lives(this.desk.start()).then(() => {
      isUp = true;
    });
    const { clock } = this.desk.ports;
    const patience = clock.now() + LONGEST_START_MS;
    for (await this.desk.rest(); !isUp; await clock.advance(SECOND_MS)) {
      if (clock.now() > patience) throw new Error("A process was started: it is not up after an hour");
      await Promise.race([this.ground.breathe(), up]);
    }
    await up;
  }

  async close(): Promise<void> {
    await this.#bury();
    this.ground.close();
    returnTestData(this.data);
  }

  /** Time goes by until all is at rest, or the process is no more. Files take real time, which a file of ours takes as well. */
  async #live(): Promise<void> {
    const files = this.#play.files ? Array(16).fill(0) : [];
    for (const pauseMs of [...files, ...Array(8).fill(5 * SECOND_MS), ...Array(6).fill(120 * SECOND_MS)]) {
      if (this.#play.files) await this.ground.breathe();
      await this.desk.rest();
      if (this.#process.isHalted) return this.#rest();
      if (pauseMs > 5 * SECOND_MS) this.#heal();
      await this.desk.ports.clock.advance(pauseMs);
    }
    await this.desk.rest();
  }

  /** A dead process that is at its files is at their end before the next one begins: a real one writes no more. */
  async #rest(): Promise<void> {
    if (!this.#play.files) return;
    for (let breath = 0; breath < 24; breath += 1) {
      await this.ground.breathe();
      await this.desk.rest();
    }
  }

  /** What was wrong outside is over. */
  #heal(): void {
    this.ground.mood = "well";
  }

  async #bury(): Promise<void> {
    this.#process.end();
    await this.desk.stop();
  }

  #buildWords(): string {
    const { from, mode, thread } = this.#play;
    if (from === "agent") return "ask";
    if (from === "child") return "/spawn --label inner ask";
    return `/spawn --label w --mode ${mode} ${thread ? "--thread " : ""}work`;
  }

  async #readAnswer() {
    const [answer = ""] = (await this.desk.store.read.deliveries({ limit: 99 }))
      .filter(({ kind }) => kind === "command")
      .map(({ body }) => String(JSON.parse(body).text))
      .filter((text) => /^[🌱⚠]/u.test(text));
    if (answer === "") return undefined;
    if (answer.startsWith("⚠")) return { status: "error", error: answer };
    return { status: "accepted" };
  }

  #open(death: string | undefined): SpawnProcess {
    const process = new SpawnProcess({
      ground: this.ground,
      data: this.data,
      play: this.#play,
      death,
      now: this.#process?.desk.ports.clock.now(),
      messages: this.#process?.desk.messages ?? 0,
      isFaulty: () => this.#isFaulty,
      takesFault: () => this.#takesFault(),
    });
    process.desk.plays(/^ask/, this.#ask);
    process.desk.plays(/^(work|after)/, () => "the result");
    return process;
  }

  #takesFault(): boolean {
    const { fault } = this.#play;
    if (!this.#isFaulty || fault.kind !== "commit" || this.#faults === fault.times) return false;
    this.#faults += 1;
    return true;
  }

  readonly #ask: Player = async ({ call }) => {
    const { mode, thread, files, fork, again } = this.#play;
    this.#attempts += 1;
    if (this.#attempts > 1 && !again) return "asked no more";
    const { text } = await call("sessions_spawn", {
      task: "work",
      label: "w",
      mode,
      thread,
      ...(files ? { attachments: [{ name: "a.md", content: "a" }] } : {}),
      ...(fork ? { context: "fork" } : {}),
    });
    this.told = text.startsWith("{") ? JSON.parse(text) : { status: "error", error: text };
    return "asked";
  };

  /** Afterwards: everything works, and as many may be spawned as ever. */
  async spawnsAgain(): Promise<string> {
    this.#isFaulty = false;
    const before = this.desk.heard().length;
    await this.desk.says("/spawn --label after after");
    return this.desk.heard()[before] ?? "";
  }
}
