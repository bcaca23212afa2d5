import type { AcpRecord, Address } from "@banyan/plugin-sdk";
import type { AgentConfig } from "../../config/config.ts";
import type { RunLimits } from "../../config/shapes/limits-config.ts";
import type { SandboxLevel } from "../../config/shapes/sandbox-level.ts";
import type { ForeignSession } from "./foreign/foreign-session.ts";

/** All that the pure stages know of the world, read before. */
export interface SpawnFacts {
  /** A uuid; the child's key ends in it too. */
  readonly runId: string;
  /** Who asks: an agent by its tool, or a person by a command. */
  readonly source: "tool" | "command";
  /** The platform's id of whoever's message brought it about. */
  readonly askedBy?: string;
  readonly requester: SpawnRequester;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly limits: Pick<RunLimits, "maxTreeRuns">;
  /** Unfinished runs that the requester's session asked for, reserved ones included. */
  readonly unfinishedChildren: number;
  /** Unfinished runs below the requester's root, reserved ones included. */
  readonly unfinishedTreeRuns: number;
  /** By agent id: what its runtime lists; absent or empty where there is no choice. */
  readonly models: Readonly<Record<string, readonly string[]>>;
  /** `bound`: something may bind a thread on the requester's channel. `off`: the configuration has threads off. */
  readonly threads: "bound" | "none" | "off";
  /** The one that the request names, if the requester may have it. */
  readonly foreignSession?: ForeignSession;
  /** Absolute: folders that a child may be put into, besides its parent's and its agent's. */
  readonly workspaceRoots: readonly string[];
}

export interface SpawnRequester {
  readonly sessionKey: string;
  readonly agentId: string;
  /** Where its turn or command speaks. */
  readonly address: Address;
  /** 0 for a person's session. */
  readonly depth: number;
  readonly sandbox: SandboxLevel;
  /** Absolute: where its tools work, which is below its agent's where it was spawned so. */
  readonly workspaceDir: string;
  /** What `estimateTokens` says of its context; only read where a fork is asked for. */
  readonly contextTokens: number;
  /** Of a foreign agent: its side of the session. */
  readonly acp?: AcpRecord;
}
