/** Leaves room below every system's limit (255) for what may be put before or behind a name. */
const MAX_NAME_BYTES = 100;
/** Separators of any system, what a shell or Windows reads as more than a name, and a drive or stream. */
const UNSAFE = /[\\/:*?"<>|]/u;
/** Controls, what turns the direction of a text or cannot be seen, parts of characters, and any space but the plain one. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Devices of Windows, whatever ending they bear. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\.|$)/iu;

/** Brings a name into the one form in which it is checked, compared and written. */
export function normalizeAttachmentName(name: string): string {
  return name.normalize("NFC");
}

/**
 * What is wrong with the name of an attachment, as the end of a sentence; `undefined` for a name that is one segment of
 * a path on every system and looks like what it is. The name must be normalized.
 */
export function findNameProblem(name: string): string | undefined {
  if (name === "") return "is empty";
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (INVISIBLE.test(name)) return "holds a character that cannot be seen";
  if (UNSAFE.test(name)) return String.raw`holds one of \ / : * ? " < > |`;
  if (name.startsWith(".")) return "begins with a dot";
  if (name.startsWith(" ") || /[ .]$/.test(name)) return "begins or ends with a space, or ends with a dot";
  return RESERVED.test(name) ? "is reserved on Windows" : undefined;
}

/** Equal for names that some file system takes for the same one. */
export function foldAttachmentName(name: string): string {
  return name.toUpperCase().toLowerCase().normalize("NFC");
}

/** What a name of ours can hold at most, its id and ending included. */
const MAX_NAME_CHARS = 60;
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
  const stem = plain.slice(0, plain.length - ending.length).slice(0, MAX_NAME_CHARS - ending.length);
  return `${stem.toWellFormed().replaceAll("\ufffd", "") || "file"}${ending}`;
}
