import { resolve } from "node:path";
import { openReadOnly } from "./database/open-database.ts";

export interface ExportOptions {
  readonly stateDir: string;
  /** Gets the folder `agents/`. What stands there already is brought up to date. */
  readonly targetDir: string;
  readonly agentDirOf?: (agentId: string) => string;
  /** A file that could not be written, and why. */
  readonly warn?: (fields: Readonly<Record<string, string>>, message: string) => void;
}

/** Writes the readable layout of a state directory somewhere else, in the caller's thread and without the lock. */
export async function exportReadableLayout(options: ExportOptions): Promise<void> {
  const { agentDirOf = (agentId) => agentId, warn = () => undefined } = options;
  // A gateway's main thread has no use for it.
  const { Projector } = await import("./projector/projector.ts");
  const database = openReadOnly(resolve(options.stateDir));
  try {
    const nameOf = async (agentId: string) => agentDirOf(agentId);
    const projector = new Projector({ database, targetDir: resolve(options.targetDir), nameOf, warn });
    await projector.project([], true, performance.now());
  } finally {
    database.close();
  }
}
