/*
 * The folder of node's compile cache. Node runs what is stored there at the next start, so only this user may write to
 * the folder or replace a folder above it. Plain JavaScript, because it runs before anything is compiled.
 */
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

const OTHERS_ACCESS = 0o077;
const OTHERS_WRITE = 0o022;
/** In such a folder, for example the shared temporary one, no user can move what belongs to another. */
const STICKY = 0o1000;

/** Switches the cache on if there is a private folder; without one each start compiles again. */
export function enablePrivateCompileCache() {
  // NODE_COMPILE_CACHE has switched it on already: the operator's choice.
  if (getCompileCacheDir() !== undefined) return;
  const folder = openCompileFolder();
  if (folder !== undefined) enableCompileCache(folder);
}

/** The folder, created if missing; `undefined`: the folder, or the path to it, is open to other users. */
export function openCompileFolder(env = process.env, uid = process.getuid?.()) {
  const { XDG_CACHE_HOME: named = "" } = env;
  try {
    const above = isAbsolute(named) ? named : join(env.HOME || homedir(), ".cache");
    mkdirSync(above, { recursive: true, mode: 0o700 });
    const base = realpathSync(above);
    for (let at = base; ; at = dirname(at)) {
      if (!isSafeAncestor(lstatSync(at), uid)) return undefined;
      if (at === dirname(at)) break;
    }
    let folder = base;
    for (const name of ["banyan", "compiled"]) {
      folder = join(folder, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isPrivate(lstatSync(folder), uid)) return undefined;
    }
    return folder;
  } catch {
    // A home that cannot be written, as in a container: the program runs without a cache.
    return undefined;
  }
}

/** Checks the folder itself, not the target of a link. */
function isPrivate(stat, uid) {
  return stat.isDirectory() && (uid === undefined || (stat.uid === uid && (stat.mode & OTHERS_ACCESS) === 0));
}

/** Whether only this user and the administrator can replace what is in the folder. */
function isSafeAncestor({ uid: owner, mode }, uid) {
  if (uid === undefined) return true;
  return (owner === uid || owner === 0) && ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0);
}
