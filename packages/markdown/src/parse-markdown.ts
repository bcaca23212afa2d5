/** Reads Markdown into a tree, unless it is so long or so entangled that reading it would stop the event loop. */
import { createRequire } from "node:module";

type FromMarkdown = typeof import("mdast-util-from-markdown").fromMarkdown;
export type MarkdownRoot = ReturnType<FromMarkdown>;
/** Any node below the root, block or inline. */
export type MarkdownNode = MarkdownRoot["children"][number];

/**
 * Twice the longest message of a channel that is known here, for link addresses may not count. The parser's worst cases are quadratic, so at
 * this length the worst that the two limits below leave still parses in the time of a few long messages.
 */
export const SOURCE_LIMIT_UNITS = 8192;

/** Quotes and list items that begin on one line; what each adds to the parser's work multiplies. */
export const NESTING_LIMIT_MARKERS = 16;

/** Runs of `*`, `_` or `~~`, each of which may be matched against all before it. No chat shows as many. */
export const EMPHASIS_LIMIT_RUNS = 1000;

/** The parser is 130 modules, which most chats never need: node keeps them from the first text with markup on. */
const load: NodeJS.Require = createRequire(import.meta.url);

const TOO_NESTED: RegExp = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=\\s|$))){${NESTING_LIMIT_MARKERS + 1}}`,
  "m",
);

/**
 * CommonMark with GitHub's tables and strikethrough, without three constructs. HTML stays text: chats show none.
 * Definitions stay text, or their addresses would be lost when the text is split before them. An underlined title stays
 * a paragraph and a line, for that is what the author of a chat message means by it.
 */
function loadParser(): (source: string) => MarkdownRoot {
  const { fromMarkdown }: typeof import("mdast-util-from-markdown") = load("mdast-util-from-markdown");
  const { gfmTableFromMarkdown }: typeof import("mdast-util-gfm-table") = load("mdast-util-gfm-table");
  const { gfmStrikethroughFromMarkdown }: typeof import("mdast-util-gfm-strikethrough") =
    load("mdast-util-gfm-strikethrough");
  const { gfmTable }: typeof import("micromark-extension-gfm-table") = load("micromark-extension-gfm-table");
  const { gfmStrikethrough }: typeof import("micromark-extension-gfm-strikethrough") = load(
    "micromark-extension-gfm-strikethrough",
  );
  const extensions = [
    gfmTable(),
    gfmStrikethrough({ singleTilde: false }),
    { disable: { null: ["htmlFlow", "htmlText", "definition", "setextUnderline"] } },
  ];
  const mdastExtensions = [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()];
  return (source) => fromMarkdown(source, { extensions, mdastExtensions });
}

/** `undefined` when `source` is above one of the limits: show it as it is. Never throws. */
export function parseMarkdown(source: string): MarkdownRoot | undefined {
  if (source.length > SOURCE_LIMIT_UNITS || isEntangled(source)) return undefined;
  return loadParser()(source);
}

function isEntangled(source: string): boolean {
  const runs = source.match(/\*+|_+|~~+/g)?.length ?? 0;
  return runs > EMPHASIS_LIMIT_RUNS || TOO_NESTED.test(source);
}
