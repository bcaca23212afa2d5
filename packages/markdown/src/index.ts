/** The Markdown of chat messages as a tree: one reader for all channels, which each show it in their own way. */
export { formatTable } from "./format-table.ts";
export {
  EMPHASIS_LIMIT_RUNS,
  type MarkdownNode,
  type MarkdownRoot,
  NESTING_LIMIT_MARKERS,
  parseMarkdown,
  SOURCE_LIMIT_UNITS,
} from "./parse-markdown.ts";
export { formatPlainText } from "./plain-text.ts";
