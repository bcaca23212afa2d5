import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, REPOSITORY } from "../house/repository.ts";

/** A line of a shell block. */
export interface DocumentedCommand {
  readonly page: string;
  /** Without its comment. */
  readonly text: string;
}

const DOCUMENT = /^(?:(?:README|CONTRIBUTING)\.md|docs\/[^/]+\.md|(?:packages|plugins)\/[^/]+\/README\.md)$/;
const FENCE = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;
const SHELLS: readonly string[] = ["sh", "bash"];
const COMMENT = /(?:^|\s+)# .*$/;
const SPAN = /`(banyan [^`\n]+)`/g;
/** What a sentence tells a person to type that is not `banyan` itself; variables may stand before it. */
const TYPED_SPAN = /`((?:[A-Z_]+=(?:"[^"`\n]*"|[^\s"`]*) )*(?:npx|node|perf|npm|pnpm) [^`\n]+)`/g;

const pages = listFiles().filter((path) => DOCUMENT.test(path));
const texts = pages.map((page) => [page, readFileSync(join(REPOSITORY, page), "utf8")] as const);

/** Every line of a shell block, and every line after `$ ` in a block that also shows output. */
export function listDocumentedCommands(): readonly DocumentedCommand[] {
  return texts.flatMap(([page, text]) =>
    [...text.matchAll(FENCE)].flatMap(([, language = "", block = ""]) =>
      listLines(language, block).map((line) => ({ page, text: line })),
    ),
  );
}

function listLines(language: string, block: string): readonly string[] {
  const lines = block.split("\n").map((line) => line.trim());
  const typed = SHELLS.includes(language)
    ? lines
    : lines.flatMap((line) => (line.startsWith("$ ") ? [line.slice("$ ".length)] : []));
  return typed.map((line) => line.replace(COMMENT, "")).filter((line) => line !== "");
}

/** `banyan …` in the sentences: with placeholders, and often not whole. */
export function listMentions(): readonly DocumentedCommand[] {
  return texts.flatMap(([page, text]) =>
    [...text.replaceAll(FENCE, "").matchAll(SPAN)].map(([, mention = ""]) => ({ page, text: mention })),
  );
}

/** Commands of other programs in the sentences, which are written whole. */
export function listTypedSpans(): readonly DocumentedCommand[] {
  return texts.flatMap(([page, text]) =>
    [...text.replaceAll(FENCE, "").matchAll(TYPED_SPAN)].map(([, typed = ""]) => ({ page, text: typed })),
  );
}

/** The words after `banyan` in a line of a shell; `undefined` where the line does not run it. */
export function findBanyanWords(line: string): readonly string[] | undefined {
  const [, rest] = /(?:^|\s|\$\()banyan(?=\s|$)([^|<>)]*)/.exec(line) ?? [];
  return rest === undefined ? undefined : splitWords(rest);
}

function splitWords(text: string): readonly string[] {
  return (text.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
}
