import type { Clock } from "../../port/clock.ts";
import type { AgentRuntime, RuntimeCapabilities } from "../agent-runtime.ts";

/** A turn that is about to begin, and will do what its plan says. */
export interface PreparedTurn {
  /** The message that begins it. */
  readonly text: string;
  /** All that is heard of it, where that is known beforehand. */
  readonly answer?: string;
  /** Resolves when the turn stands where its plan wants it to. Absent: as soon as it is read. */
  readonly reached?: Promise<void>;
  /** Of `steers`: lets the turn go on to where it takes what was steered. Absent: it stands there already. */
  release?(): void;
}

type Prepare = () => PreparedTurn | Promise<PreparedTurn>;

/** What a runtime can be brought to do for a case. Each call prepares the next turn of whatever session comes next. */
export interface RuntimePlans {
  /** Says some text and ends as done. */
  readonly answers: Prepare;
  /** Is live until it is aborted, and says at most a little before. */
  readonly lasts: Prepare;
  /**
   * Calls `list_files` with no argument, then `read_file`, and then says some text; called again with what an earlier attempt
   * committed, it goes on behind that.
   */
  readonly calls?: Prepare;
  /** Has spent tokens, told of at least by an end, and is then live until it is aborted. */
  readonly spends?: Prepare;
  /** Is live until a message is steered at it; says the text of each that it took, and ends as done. */
  readonly steers?: Prepare;
  /** Ends with an error that nobody should try again. */
  readonly fails?: Prepare;
  /** What works behind the runtime (a process, a server) goes away while it answers, and is there again for the next turn. */
  readonly dies?: Prepare;
}

export type RuntimePlan = keyof RuntimePlans;

/**
 * What a runtime's test gives to one case. Each case gets a harness of its own; whoever made it closes what it holds when
 * the case has ended.
 */
export interface RuntimeHarness {
  readonly runtime: AgentRuntime;
  readonly plans: RuntimePlans;
  /** The host's. Absent: one that stands still. */
  readonly clock?: Clock;
}

/** What is known of a runtime before a harness is made. */
export interface RuntimeProfile {
  readonly capabilities: RuntimeCapabilities;
  /** The plans that its harnesses have. */
  readonly plans: readonly RuntimePlan[];
}

/** One sentence of the contract. */
export interface RuntimeCase {
  readonly name: string;
  readonly needs: RuntimePlan;
  /** Absent: a sentence for all. */
  isFor?(capabilities: RuntimeCapabilities): boolean;
  /** Rejects with an `AssertionError` where the runtime does not keep the sentence. */
  run(harness: RuntimeHarness): Promise<void>;
}
