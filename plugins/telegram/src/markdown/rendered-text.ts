/** A growing plain text and the entities over it. Offsets are UTF-16 code units, as Telegram counts them. */
import type { MessageEntity } from "grammy/types";

type WithoutRange<Entity> = Entity extends MessageEntity ? Omit<Entity, "offset" | "length"> : never;

/** What an entity is, without where. */
export type EntityKind = WithoutRange<MessageEntity>;

/** What Telegram's server keeps of one message (TDLib, `MAX_USER_ENTITY_COUNT`). */
export const ENTITY_LIMIT = 100;
/**
 * The size of all entities of a message, addresses included. Telegram refuses more than about 9,500 bytes as
 * ENTITIES_TOO_LONG (a maintainer in tdlib/telegram-bot-api, issue 165); this leaves room for how the server counts.
 */
const ENTITY_LIMIT_BYTES = 8_192;
/** An entity without its address: its kind, offset and length. */
const ENTITY_BYTES = 16;

/** Deeper lists are not indented further: a phone shows thirty letters a line or so. */
const INDENT_LIMIT_SPACES = 16;

/** Longer addresses that nobody can click, such as a picture in the text itself, are not shown. */
const SHOWN_URL_LIMIT_CHARS = 256;

export interface RenderedTextOptions {
  readonly isFlat?: boolean;
  readonly shownUrlLimitChars?: number;
}

interface OpenEntity {
  readonly kind: EntityKind;
  start: number;
}

/**
 * Keeps Telegram's rules ("Message entities can be nested", core.telegram.org/bots/api): entities nest properly, code
 * is in none but a quote, links and quotes are not in their like. None is empty or ends with whitespace; none but `pre`,
 * whose first line keeps its indentation, begins with whitespace (or with the quote around such a `pre`).
 */
export class RenderedText {
  /** A flat text takes no entities; links then show their address. */
  readonly isFlat: boolean;
  readonly shownUrlLimitChars: number;
  #text = "";
  readonly #entities: MessageEntity[] = [];
  readonly #open: OpenEntity[] = [];
  #indent = "";

  constructor({ isFlat = false, shownUrlLimitChars = SHOWN_URL_LIMIT_CHARS }: RenderedTextOptions = {}) {
    this.isFlat = isFlat;
    this.shownUrlLimitChars = shownUrlLimitChars;
  }

  get length(): number {
    return this.#text.length;
  }

  /** What was written since the text had this length. */
  textFrom(start: number): string {
    return this.#text.slice(start);
  }

  /** Adds text; its lines after the first are indented. */
  write(text: string): void {
    this.writeRaw(this.#indent === "" ? text : text.replace(/\n(?!\n)/g, `\n${this.#indent}`));
  }

  writeRaw(text: string): void {
    this.#text += text;
  }

  /** Adds code as it is, and an entity over it that interrupts the styles around it. */
  writeCode(kind: EntityKind, text: string): void {
    const styles = this.#open.filter((open) => open.kind.type !== "blockquote");
    const isInLink = styles.some((open) => open.kind.type === "text_link");
    if (!isInLink) for (const open of styles) this.#add(open);
    const start = this.length;
    this.writeRaw(text);
    if (isInLink) return;
    this.#add({ kind, start });
    for (const open of styles) open.start = this.length;
  }

  /** Puts an entity over what `write` adds, unless it is inside one of the same type already. */
  within(kind: EntityKind, write: () => void): void {
    if (this.isWithin(kind.type)) {
      write();
      return;
    }
    const open = { kind, start: this.length };
    this.#open.push(open);
    write();
    this.#open.pop();
    this.#add(open);
  }

  isWithin(type: EntityKind["type"]): boolean {
    return this.#open.some((open) => open.kind.type === type);
  }

  /** Indents what `write` adds by that many spaces more. */
  indented(spaces: number, write: () => void): void {
    const before = this.#indent;
    if (before.length < INDENT_LIMIT_SPACES) this.#indent += " ".repeat(spaces);
    write();
    this.#indent = before;
  }

  /** The text so far without whitespace at its end, and the entities in order, outer ones first. */
  finish(): { text: string; entities: MessageEntity[] } {
    // Inner ones were added first.
    const inOrder = this.#entities.toReversed().sort((a, b) => a.offset - b.offset || b.length - a.length);
    return { text: this.#text.trimEnd(), entities: inOrder };
  }

  #add({ kind, start }: OpenEntity): void {
    if (this.isFlat) return;
    const covered = this.#text.slice(start);
    const end = start + covered.trimEnd().length;
    const offset = this.#skipMargin(kind, start, covered);
    if (end > offset) this.#entities.push({ ...kind, offset, length: end - offset });
  }

  #skipMargin(kind: EntityKind, start: number, covered: string): number {
    if (kind.type === "pre") return start;
    const offset = start + covered.length - covered.trimStart().length;
    if (kind.type !== "blockquote") return offset;
    const firstCode = this.#entities.find((entity) => entity.type === "pre" && entity.offset >= start);
    return Math.min(offset, firstCode?.offset ?? offset);
  }
}

/** Returns how many of the limits the entities of one message fill: above 1 they are too many, or too large. */
export function measureEntities(entities: readonly MessageEntity[]): number {
  let bytes = 0;
  for (const entity of entities) bytes += ENTITY_BYTES + ("url" in entity ? Buffer.byteLength(entity.url) : 0);
  return Math.max(entities.length / ENTITY_LIMIT, bytes / ENTITY_LIMIT_BYTES);
}

/** Where there are too many, those that only change the look of letters are left out first, from the end (as in TDLib). */
export function limitEntities(inOrder: MessageEntity[]): MessageEntity[] {
  if (inOrder.length <= ENTITY_LIMIT) return inOrder;
  const byNeed = [...inOrder.filter((entity) => !isStyle(entity)), ...inOrder.filter(isStyle)];
  const kept = new Set(byNeed.slice(0, ENTITY_LIMIT));
  return inOrder.filter((entity) => kept.has(entity));
}

function isStyle(entity: MessageEntity): boolean {
  return entity.type === "bold" || entity.type === "italic" || entity.type === "strikethrough";
}
