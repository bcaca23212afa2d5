/** What is inside a line of Markdown: styles, code, links, pictures. */

import type { MarkdownNode } from "@banyan/markdown";
import { parseLinkUrl } from "./link-url.ts";
import type { RenderedText } from "./rendered-text.ts";

export function writeInline(out: RenderedText, nodes: readonly MarkdownNode[]): void {
  for (const node of nodes) writeInlineNode(out, node);
}

function writeInlineNode(out: RenderedText, node: MarkdownNode): void {
  switch (node.type) {
    case "emphasis":
      out.within({ type: "italic" }, () => writeInline(out, node.children));
      break;
    case "strong":
      out.within({ type: "bold" }, () => writeInline(out, node.children));
      break;
    case "delete":
      out.within({ type: "strikethrough" }, () => writeInline(out, node.children));
      break;
    case "inlineCode":
      out.writeCode({ type: "code" }, node.value);
      break;
    case "break":
      out.write("\n");
      break;
    case "link":
      writeLink(out, node.url, () => writeInline(out, node.children));
      break;
    case "image":
      writeLink(out, node.url, () => out.write(node.alt ?? ""));
      break;
    default:
      if ("children" in node) writeInline(out, node.children);
      else if ("value" in node) out.write(node.value);
  }
}

/** The label as a link, or with its address behind it where Telegram takes no such link. */
function writeLink(out: RenderedText, destination: string, writeLabel: () => void): void {
  const url = out.isFlat ? undefined : parseLinkUrl(destination);
  const start = out.length;
  if (out.isWithin("text_link")) {
    writeLabel();
  } else if (url === undefined) {
    writeLabel();
    writeDestination(out, destination.replace(/^mailto:/i, ""), out.textFrom(start));
  } else {
    out.within({ type: "text_link", url }, () => {
      writeLabel();
      if (out.textFrom(start).trim() === "") out.write(destination);
    });
  }
}

function writeDestination(out: RenderedText, destination: string, label: string): void {
  if (destination.length > out.shownUrlLimitChars || label.includes(destination)) return;
  out.write(label.trim() === "" ? destination : ` (${destination})`);
}
