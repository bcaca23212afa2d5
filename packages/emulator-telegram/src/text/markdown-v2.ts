import { countBytes, type Entity, type EntityType, sortEntities } from "./entity.ts";
import { formatLinkUrl, type Markup } from "./markup.ts";

interface OpenMark {
  readonly mark: string;
  readonly type: EntityType;
  readonly offset: number;
  readonly startByte: number;
}

/** The name of an unclosed entity in the server's complaint. */
const NAMES: ReadonlyMap<EntityType, string> = new Map<EntityType, string>([
  ["bold", "Bold"],
  ["italic", "Italic"],
  ["underline", "Underline"],
  ["strikethrough", "Strikethrough"],
  ["spoiler", "Spoiler"],
  ["text_link", "TextUrl"],
  ["custom_emoji", "CustomEmoji"],
  ["code", "Code"],
  ["pre", "Pre"],
]);

const MARKS: ReadonlyMap<string, EntityType> = new Map<string, EntityType>([
  ["*", "bold"],
  ["__", "underline"],
  ["_", "italic"],
  ["~", "strikethrough"],
  ["||", "spoiler"],
  ["![", "custom_emoji"],
  ["[", "text_link"],
]);

/** Parse mode MarkdownV2. Quotes are recognised at the start of a line and end with the last line that begins so. */
export function parseMarkdownV2(source: string): Markup {
  return new MarkdownV2(source).parse();
}

class MarkdownV2 {
  readonly #source: string;
  readonly #entities: Entity[] = [];
  readonly #open: OpenMark[] = [];
  #text = "";
  #at = 0;
  #quoteStart: number | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Markup {
    while (this.#at < this.#source.length) {
      const fault = this.#step();
      if (fault !== undefined) return { ok: false, reason: fault };
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) return { ok: false, reason: describeUnclosed(unclosed.type, unclosed.startByte) };
    this.#endQuote();
    return { ok: true, text: this.#text, entities: sortEntities(this.#entities) };
  }

  /** Takes the next character or mark; returns the complaint, if there is one. */
  #step(): string | undefined {
    const source = this.#source;
    const character = source[this.#at] ?? "";
    const next = source.charCodeAt(this.#at + 1);
    if (character === "\\" && next > 0 && next <= 126) {
      this.#write(source[this.#at + 1] ?? "", 2);
    } else if (character === "\n") {
      if (this.#quoteStart !== undefined && source[this.#at + 1] !== ">") this.#endQuote();
      this.#write("\n", 1);
    } else if (character === ">" && (this.#at === 0 || source[this.#at - 1] === "\n")) {
      this.#quoteStart ??= this.#text.length;
      this.#at += 1;
    } else if (character === "`") {
      return this.#code(source.startsWith("```", this.#at) ? "```" : "`");
    } else if ("_*[]()~>#+-=|{}.!".includes(character)) {
      return this.#mark(character);
    } else {
      this.#write(character, 1);
    }
    return undefined;
  }

  #mark(character: string): string | undefined {
    const last = this.#open.at(-1);
    if (character === "]" && (last?.type === "text_link" || last?.type === "custom_emoji")) return this.#link(last);
    const pair = this.#source.slice(this.#at, this.#at + 2);
    if (pair === "||" && this.#endsExpandableQuote()) return undefined;
    const mark = MARKS.has(pair) ? pair : character;
    const type = MARKS.get(mark);
    if (type === undefined) return `Character '${character}' is reserved and must be escaped with the preceding '\\'`;
    if (last?.mark === mark) {
      this.#open.pop();
      this.#add({ type: last.type, offset: last.offset, length: this.#text.length - last.offset });
    } else {
      this.#open.push({ mark, type, offset: this.#text.length, startByte: countBytes(this.#source, this.#at) });
    }
    this.#at += mark.length;
    return undefined;
  }

  #code(mark: string): string | undefined {
    const type = mark === "`" ? "code" : "pre";
    const startByte = countBytes(this.#source, this.#at);
    const offset = this.#text.length;
    this.#at += mark.length;
    const language = type === "pre" ? /^[^\s`]+(?=\s)/.exec(this.#source.slice(this.#at))?.[0] : undefined;
    this.#at += language?.length ?? 0;
    if (type === "pre") this.#at += /^(\r\n|\n\r|\n|\r)?/.exec(this.#source.slice(this.#at))?.[0].length ?? 0;
    while (!this.#source.startsWith(mark, this.#at)) {
      const character = this.#source[this.#at];
      const next = this.#source.charCodeAt(this.#at + 1);
      if (character === undefined) return describeUnclosed(type, startByte);
      if (character === "`") return "Character '`' is reserved and must be escaped with the preceding '\\'";
      if (character === "\\" && next > 0 && next <= 126) this.#write(this.#source[this.#at + 1] ?? "", 2);
      else this.#write(character, 1);
    }
    this.#at += mark.length;
    const span = { type, offset, length: this.#text.length - offset } as const;
    this.#add(language === undefined ? span : { ...span, language });
    return undefined;
  }

  #link(open: OpenMark): string | undefined {
    this.#open.pop();
    this.#at += 1;
    const span = { offset: open.offset, length: this.#text.length - open.offset };
    let address = this.#text.slice(open.offset);
    if (this.#source[this.#at] === "(") {
      const match = /^\(((?:\\[\s\S]|[^)\\])*)\)/.exec(this.#source.slice(this.#at));
      if (match === null) return `Can't find end of a URL at byte offset ${countBytes(this.#source, this.#at)}`;
      address = (match[1] ?? "").replaceAll(/\\([\s\S])/g, "$1");
      this.#at += match[0].length;
    } else if (open.type === "custom_emoji") {
      return "Custom emoji entity must contain a tg://emoji URL";
    }
    if (open.type === "custom_emoji") {
      const id = /^tg:\/\/emoji\?id=(\d{1,19})$/.exec(address)?.[1];
      if (id === undefined) return "Custom emoji URL must have an emoji identifier";
      this.#add({ type: "custom_emoji", ...span, custom_emoji_id: id });
      return undefined;
    }
    const url = formatLinkUrl(address);
    if (url !== undefined) this.#add({ type: "text_link", ...span, url });
    return undefined;
  }

  /** "||" that closes nothing and ends the last line of a quote makes the quote expandable. */
  #endsExpandableQuote(): boolean {
    const after = this.#source[this.#at + 2];
    if (this.#quoteStart === undefined || (after !== undefined && after !== "\n")) return false;
    if (this.#open.some(({ mark }) => mark === "||")) return false;
    this.#at += 2;
    this.#endQuote("expandable_blockquote");
    return true;
  }

  #endQuote(type: EntityType = "blockquote"): void {
    if (this.#quoteStart === undefined) return;
    this.#add({ type, offset: this.#quoteStart, length: this.#text.length - this.#quoteStart });
    this.#quoteStart = undefined;
  }

  #write(text: string, consumed: number): void {
    this.#text += text;
    this.#at += consumed;
  }

  #add(entity: Entity): void {
    if (entity.length > 0) this.#entities.push(entity);
  }
}

function describeUnclosed(type: EntityType, startByte: number): string {
  return `Can't find end of ${NAMES.get(type) ?? type} entity at byte offset ${startByte}`;
}
