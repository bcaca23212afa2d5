import { findNameProblem, normalizeAttachmentName } from "./attachment-names.ts";

/** What a name of ours can hold at most, its id and ending included. */
const NAME_LIMIT_CHARS = 60;
/** Everything that is no letter, figure, or one of the signs that stand in names everywhere. */
const UNUSUAL = /[^\p{L}\p{N}._-]+/gu;
const ENDING = /\.[A-Za-z0-9]{1,8}$/;

/**
 * The name under which a file is saved: that of its sender as far as it is harmless, behind its id, which no other file of
 * the session has. It is one segment of a path on every system.
 */
export function buildReceivedName(id: string, name: string | undefined): string {
  const built = `${id}-${formatHarmlessName(name)}`;
  return findNameProblem(built) === undefined ? built : `${id}-file`;
}

/** The name without what a file system, a header or a reader could mind; `file` where nothing is left. */
export function formatHarmlessName(name: string | undefined): string {
  const last = normalizeAttachmentName(name ?? "")
    .split(/[\\/]/)
    .at(-1);
  const plain = (last ?? "").replace(UNUSUAL, "_").replace(/^[._]+/, "");
  const ending = ENDING.exec(plain)?.[0] ?? "";
  const stem = plain.slice(0, plain.length - ending.length).slice(0, NAME_LIMIT_CHARS - ending.length);
  return `${stem.toWellFormed().replaceAll("\ufffd", "") || "file"}${ending}`;
}
