import { createHash } from "node:crypto";

/** A thread's name has 1–100 characters (Discord documentation, "Channel Resource"). */
const NAME_LIMIT_CHARS = 100;
const MARK_CHARS = 8;

/** How the host shows a random id to people: by its beginning. */
const RANDOM_UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-4/;

/**
 * A short word that tells people and a later life of this program which thread is meant: Discord gives no key for the
 * opening of one. Where the host's id is a random one its beginning, by which people know it elsewhere.
 */
export function buildThreadMark(bindingId: string): string {
  const [, shown] = RANDOM_UUID.exec(bindingId) ?? [];
  return shown ?? createHash("sha256").update(`thread|${bindingId}`).digest("hex").slice(0, MARK_CHARS);
}

/** The message that a thread is opened from. */
export function formatStarter(name: string, mark: string): string {
  return `🌱 **${escapeName(name)}** (\`${mark}\`)`;
}

/** The first message of a thread that is not opened from one. */
export function formatMarkedHello(hello: string, mark: string): string {
  return `${hello}\n-# ${mark}`;
}

export function limitName(name: string): string {
  const line = name.replaceAll(/\s+/g, " ").trim();
  const end = line.charCodeAt(NAME_LIMIT_CHARS - 1);
  const limit = end >= 0xd800 && end <= 0xdbff ? NAME_LIMIT_CHARS - 1 : NAME_LIMIT_CHARS;
  return line.slice(0, limit) || "sub-agent";
}

/** Shown as it is written, whatever Discord's Markdown would make of it. */
function escapeName(name: string): string {
  return name.replaceAll(/[\\*_~`|>#[\]()<@-]/g, "\\$&");
}
