import type { Inline } from "./inline-markdown.ts";
import type { Block } from "./markdown.ts";

/** Makes elements of parsed Markdown. Text becomes text nodes only, so no message can hold markup of its own. */
export function renderBlocks(blocks: readonly Block[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of blocks) fragment.append(renderBlock(block));
  return fragment;
}

function renderBlock(block: Block): HTMLElement {
  switch (block.type) {
    case "paragraph":
      return renderInto("p", block.content);
    case "heading":
      // The page's own title is the first level, and a chat needs no six.
      return renderInto(block.level === 1 ? "h2" : block.level === 2 ? "h3" : "h4", block.content);
    case "code":
      return renderCode(block.text, block.language);
    case "list":
      return renderList(block.items, block.start);
  }
}

function renderCode(text: string, language: string | undefined): HTMLElement {
  const pre = document.createElement("pre");
  const code = document.createElement("code");
  code.textContent = text;
  // A wide block is scrolled, also by keyboard.
  pre.tabIndex = 0;
  pre.setAttribute("aria-label", language === undefined ? "Code" : `Code, ${language}`);
  pre.setAttribute("role", "group");
  pre.append(code);
  return pre;
}

function renderList(items: readonly (readonly Block[])[], start: number | undefined): HTMLElement {
  const list = document.createElement(start === undefined ? "ul" : "ol");
  if (start !== undefined && start !== 1) list.setAttribute("start", String(start));
  for (const item of items) {
    const [first, ...rest] = item;
    const element = document.createElement("li");
    // An item of one line needs no paragraph around it.
    if (first?.type === "paragraph") element.append(...first.content.map(renderInline), renderBlocks(rest));
    else element.append(renderBlocks(item));
    list.append(element);
  }
  return list;
}

function renderInto(tag: "p" | "h2" | "h3" | "h4" | "strong" | "em", content: readonly Inline[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...content.map(renderInline));
  return element;
}

function renderInline(inline: Inline): Node {
  switch (inline.type) {
    case "text":
      return document.createTextNode(inline.text);
    case "break":
      return document.createElement("br");
    case "code": {
      const code = document.createElement("code");
      code.textContent = inline.text;
      return code;
    }
    case "strong":
      return renderInto("strong", inline.content);
    case "emphasis":
      return renderInto("em", inline.content);
    case "link": {
      const link = document.createElement("a");
      link.href = inline.href;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      link.append(...inline.content.map(renderInline));
      return link;
    }
  }
}
