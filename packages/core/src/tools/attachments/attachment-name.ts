/** Below the limit of every system (255), with room for a prefix and a suffix. */
const MAX_NAME_BYTES = 100;
/** Separators of any system, characters with a meaning for a shell or Windows, and a drive or stream. */
const UNSAFE = /[\\/:*?"<>|]/u;
/**
 * Control characters, invisible ones and those that change the direction of a text, parts of characters, and every
 * space except the plain one.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Devices of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\.|$)/iu;

/** Normalizes a name to the form in which it is checked, compared and written. */
export function normalizeAttachmentName(name: string): string {
  return name.normalize("NFC");
}

/**
 * Returns what is wrong with the name of an attachment, as the end of a sentence; `undefined` for a name that is one
 * segment of a path on every system and is what it looks like. The name must be normalized.
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

/** Returns the same text for names that some file system treats as equal. */
export function foldAttachmentName(name: string): string {
  return name.toUpperCase().toLowerCase().normalize("NFC");
}

/** Of a harmless name, with its extension. */
const MAX_NAME_CHARS = 60;
/** Everything except letters, digits and the characters that are usual in names. */
const UNUSUAL = /[^\p{L}\p{N}._-]+/gu;
const ENDING = /\.[A-Za-z0-9]{1,8}$/;

/**
 * Builds the name of a saved file: its id, which no other file of the session has, and the harmless part of the
 * sender's name. It is one segment of a path on every system.
 */
export function buildReceivedName(id: string, name: string | undefined): string {
  const built = `${id}-${formatHarmlessName(name)}`;
  return findNameProblem(built) === undefined ? built : `${id}-file`;
}

/** Removes what a file system, a header or a reader could misread; `file` if nothing is left. */
export function formatHarmlessName(name: string | undefined): string {
  const last = normalizeAttachmentName(name ?? "")
    .split(/[\\/]/)
    .at(-1);
  const plain = (last ?? "").replace(UNUSUAL, "_").replace(/^[._]+/, "");
  const ending = ENDING.exec(plain)?.[0] ?? "";
  const stem = plain.slice(0, plain.length - ending.length).slice(0, MAX_NAME_CHARS - ending.length);
  return `${stem.toWellFormed().replaceAll("\ufffd", "") || "file"}${ending}`;
}
