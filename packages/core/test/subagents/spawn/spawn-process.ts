import type { SpawningAnswer } from "@banyan/plugin-sdk";
import { type Step, StoreError } from "@banyan/store";
import type { CommitFaultAnswer, InlineDatabase } from "@banyan/store-sqlite/inline";
import { quiet } from "../../manual-clock.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ADA, TreeDesk } from "../tree-desk.ts";
import type { DiskMood, PlatformMood, SpawnGround } from "./spawn-ground.ts";

/** What goes wrong on the way. */
export type SpawnFault =
  | { readonly kind: "none" }
  | { readonly kind: "tap"; readonly does: "throws" | "hangs" | "answers"; readonly answer?: unknown }
  | { readonly kind: "platform"; readonly mood: PlatformMood }
  | { readonly kind: "disk"; readonly mood: DiskMood }
  /** While the spawn is held up before a step, this happens to who asked. */
  | { readonly kind: "meanwhile"; readonly does: "/new" | "/stop" | "/kill all" | "delete"; readonly at: Step["step"] }
  | {
      readonly kind: "commit";
      readonly at: Step["step"];
      readonly end: "before" | "after";
      readonly is: Exclude<CommitFaultAnswer, "none">;
      readonly times: number;
    };

export interface SpawnPlay {
  /** A person's agent, a sub-agent, or a person. */
  readonly from: "agent" | "child" | "person";
  readonly mode: "run" | "session";
  readonly thread: boolean;
  readonly files: boolean;
  readonly fork: boolean;
  readonly fault: SpawnFault;
  /** Fault points at which one process after the other dies. */
  readonly deaths: readonly string[];
  /** A turn that runs again asks again. */
  readonly again: boolean;
}

interface ProcessOptions {
  readonly ground: SpawnGround;
  readonly data: InlineDatabase;
  readonly play: SpawnPlay;
  readonly death: string | undefined;
  readonly now: number | undefined;
  /** Told so far. */
  readonly messages: number;
  readonly isFaulty: () => boolean;
  /** Whether a step that may fail does. */
  readonly takesFault: () => boolean;
}

/** One process. Dead, it does nothing more, but does not know it: what it waits for never comes. */
export class SpawnProcess {
  readonly desk: TreeDesk;
  readonly #options: ProcessOptions;
  readonly #buried = Promise.withResolvers<never>();
  #isDead = false;
  #hasFailed = false;
  #isMet = false;
  readonly #halted = Promise.withResolvers<void>();
  isHalted = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { ground, data, death, now, messages } = options;
    this.#buried.promise.catch(() => undefined);
    const ports = createTestPorts({ faultPoint: (name) => this.#pass(name, death) });
    if (now !== undefined) ports.clock.jump(now - ports.clock.now());
    this.desk = new TreeDesk({
      data,
      ports,
      fault: (step, when) => this.#fail(step, when),
      threads: ground.connect(
        () => this.#isDead,
        () => this.#halt(),
      ),
      agents: {
        main: {
          runtime: "played",
          workspace: ground.workspace,
          tools: { deny: [] },
          subagents: { maxChildrenPerAgent: 1, archiveAfterMinutes: 0 },
        },
      },
      options: { limits: { maxTreeRuns: 2 } },
    });
    this.desk.messages = messages;
    this.#watchCommits();
    this.#tap();
  }

  /** Another one has to go on. */
  get isOver(): boolean {
    return this.isHalted || this.#hasFailed;
  }

  /** Until it is done, or the process is dead. */
  async lives(work: Promise<unknown>): Promise<void> {
    const end = work.catch((error: unknown) => {
      if (!this.#hasFailed) throw error;
    });
    await Promise.race([end, this.#halted.promise]);
  }

  end(): void {
    this.desk.crash();
    this.#buried.reject(new StoreError("closed", "The process is dead"));
  }

  #pass(name: string, death: string | undefined): void {
    if (name === death && this.#options.isFaulty()) this.#isDead = true;
    const { fault } = this.#options.play;
    if (name === "T1a.after" && fault.kind === "disk" && !this.#isDead) this.#options.ground.spoil(fault.mood);
  }

  #fail(step: Step, when: "before" | "after"): CommitFaultAnswer {
    const { fault } = this.#options.play;
    if (fault.kind !== "commit" || step.step !== fault.at || when !== fault.end || !this.#options.takesFault())
      return "none";
    if (fault.is === "closed") this.#hasFailed = true;
    return fault.is;
  }

  #halt(): Promise<never> {
    this.isHalted = true;
    this.#halted.resolve();
    return this.#buried.promise;
  }

  #watchCommits(): void {
    const { store } = this.desk;
    const commit = store.commit.bind(store);
    Object.assign(store, {
      commit: async (step: Step) => {
        if (this.#isDead) await this.#halt();
        await this.#meet(step);
        return commit(step);
      },
    });
  }

  async #meet(step: Step): Promise<void> {
    const { fault } = this.#options.play;
    if (fault.kind !== "meanwhile" || step.step !== fault.at || this.#isMet || !this.#options.isFaulty()) return;
    if (step.step === "command" && step.accept === undefined) return;
    this.#isMet = true;
    const done =
      fault.does === "delete"
        ? this.desk.gateway.operations["sessions-delete"]?.({ key: ADA })
        : this.desk.says(fault.does);
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    Promise.resolve(done).then(end, end);
    // What waits for this very step comes behind it.
    for (let turn = 0; turn < 400 && !isDone; turn += 1) await quiet();
  }

  #tap(): void {
    const { fault } = this.#options.play;
    if (fault.kind !== "tap") return;
    this.desk.gateway.hooks.subagent_spawning.tapPromise("faulty", async (): Promise<SpawningAnswer | undefined> => {
      if (fault.does === "throws") throw new Error("a broken plugin");
      if (fault.does === "hangs") return new Promise<never>(() => undefined);
      return JSON.parse(JSON.stringify(fault.answer ?? null));
    });
  }
}
