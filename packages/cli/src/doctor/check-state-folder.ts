import { accessSync, constants, existsSync, statSync } from "node:fs";
import { findExistingFolder } from "../state/find-existing-folder.ts";
import type { Finding } from "./finding.ts";

const SUBJECT = "state directory";
/** Group and others. */
const FOREIGN_BITS = 0o077;

/** The state directory is there or can be made, is written by its owner alone, and is the owner's. */
export function checkStateFolder(stateDir: string): readonly Finding[] {
  if (!existsSync(stateDir)) {
    const cure = "make it, or name another directory with BANYAN_STATE_DIR";
    return isWritable(findExistingFolder(stateDir))
      ? [{ subject: SUBJECT, level: "ok", text: `${stateDir} is made at the first start` }]
      : [{ subject: SUBJECT, level: "error", text: `${stateDir} cannot be made by this user`, cure }];
  }
  const stats = statSync(stateDir);
  if (!stats.isDirectory()) {
    const cure = "name a folder with BANYAN_STATE_DIR or stateDir";
    return [{ subject: SUBJECT, level: "error", text: `${stateDir} is no folder`, cure }];
  }
  if (!isWritable(stateDir)) {
    const cure = "run Banyan as the user who owns it, or name another with BANYAN_STATE_DIR";
    return [{ subject: SUBJECT, level: "error", text: `${stateDir} cannot be written by this user`, cure }];
  }
  const mode = stats.mode & 0o777;
  if ((mode & FOREIGN_BITS) === 0) return [{ subject: SUBJECT, level: "ok", text: stateDir }];
  const text = `${stateDir} can be looked into by other users (mode ${mode.toString(8)}); the files in it cannot`;
  return [{ subject: SUBJECT, level: "warning", text, cure: `chmod 700 ${stateDir}` }];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
