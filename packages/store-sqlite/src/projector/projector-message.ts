import type { CheckEnd } from "../keeper/keeper-message.ts";

/** What the projecting worker is started with. */
export interface ProjectorOptions {
  readonly stateDir: string;
  /** Where the layout goes: the state directory itself, or another folder for an export. */
  readonly targetDir: string;
  /** The main side names the folders of agents; else each has its id's name. */
  readonly asksAgentFolders: boolean;
  readonly faultPointModule?: string;
}

export type ToProjector =
  /** `agents`: whose sessions changed. `isFinal`: write everything, however lately it was written. */
  | {
      readonly type: "project";
      readonly agents: readonly string[];
      readonly isFinal: boolean;
      readonly nowMs: number;
    }
  | { readonly type: "agent_folder"; readonly agentId: string; readonly folder: string }
  /** Look through the database's file, which is small. */
  | { readonly type: "check" }
  | { readonly type: "close" };

export type FromProjector =
  /** In the order they were asked for. `againInMs`: something was put off for so long. */
  | { readonly type: "projected"; readonly againInMs: number | undefined }
  /** In the order they were asked for. */
  | CheckEnd
  | { readonly type: "agent_folder"; readonly agentId: string }
  | { readonly type: "warning"; readonly fields: Readonly<Record<string, string>>; readonly message: string };
