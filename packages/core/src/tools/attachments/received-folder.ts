/** Where the files lie that an agent has asked for: in its workspace, in the host's folder, apart for each conversation. */
import { join } from "node:path";
import { HOST_FOLDER } from "../files/host-folder.ts";

export const RECEIVED_FOLDER = "received";
/** One segment of a path, so that no conversation's folder lies elsewhere. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The folders below the workspace, the outermost first; `undefined` for an id that is none of ours. */
export function listReceivedFolders(sessionId: string): readonly string[] | undefined {
  return SESSION_ID.test(sessionId) ? [HOST_FOLDER, RECEIVED_FOLDER, sessionId] : undefined;
}

/** What the tools of that conversation may read although it lies in the host's folder. */
export function findReceivedFolder(workspaceDir: string, sessionId: string): string | undefined {
  const folders = listReceivedFolders(sessionId);
  return folders === undefined ? undefined : join(workspaceDir, ...folders);
}
