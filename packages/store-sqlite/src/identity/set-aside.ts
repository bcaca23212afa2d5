import { existsSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { makePrivateFolder } from "../database/private-file.ts";
import { ID_FILE, syncPath } from "./id-file.ts";

/**
 * Moves the files of a store into a new folder of `replaced/` and answers its path; `undefined`: there were none. The
 * database goes first and the identity file last: after a death between the two the next start finds traces of a lost
 * store, never a database without its log. `withBackups`: the identity and the backups are moved as well.
 */
export function setStoreAside(
  stateDir: string,
  { withBackups, faultPoint }: { readonly withBackups: boolean; readonly faultPoint: FaultPoint },
): string | undefined {
  const databases = ["banyan.db", "banyan.db-wal", "banyan.db-shm", "readable.json"];
  const names = withBackups ? [...databases, "backups"] : databases;
  const layout = listLayout(stateDir);
  const last = withBackups ? [ID_FILE] : [];
  const found = [...names, ...layout, ...last].filter((name) => existsSync(join(stateDir, name)));
  if (found.length === 0) return undefined;
  const target = createTarget(stateDir);
  for (const name of found) {
    if (name.startsWith("agents/")) for (const folder of listParents(name)) makePrivateFolder(join(target, folder));
    faultPoint("store.aside.before");
    renameSync(join(stateDir, name), join(target, name));
    faultPoint("store.aside.after");
  }
  for (const folder of [target, join(stateDir, "replaced"), stateDir]) syncPath(folder);
  return target;
}

/** `agents/main/sessions.json` and `agents/main/sessions`, of each agent. */
function listLayout(stateDir: string): readonly string[] {
  const agents = join(stateDir, "agents");
  if (lstatSync(agents, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(agents, { withFileTypes: true })
    .filter((agent) => agent.isDirectory())
    .flatMap(({ name }) => [`agents/${name}/sessions.json`, `agents/${name}/sessions`]);
}

function listParents(name: string): readonly string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

function createTarget(stateDir: string): string {
  const folder = join(stateDir, "replaced");
  makePrivateFolder(folder);
  const time = new Date().toISOString().replaceAll(":", "-");
  for (let count = 1; ; count += 1) {
    const target = join(folder, count === 1 ? time : `${time}-${count}`);
    if (existsSync(target)) continue;
    makePrivateFolder(target);
    return target;
  }
}
