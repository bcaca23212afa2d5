import { type Node, Visitor } from "oxc-parser";
import { isProduct, readSources, type SourceFile } from "./source-file.ts";

/** Takes the place of a value in a text. */
const VALUE = "…";

/** A text of the product that people may read. */
export interface ShownText {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Every string and template of the published sources that has a space in it: messages, help, answers. No comments. */
export function listShownTexts(): readonly ShownText[] {
  return readSources().filter(isProduct).flatMap(listTexts);
}

export function listTexts({ path, text, parsed }: SourceFile): readonly ShownText[] {
  const found: ShownText[] = [];
  const add = (said: string, { start }: Node) => {
    if (said.includes(" ")) found.push({ path, line: text.slice(0, start).split("\n").length, text: said });
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") add(node.value, node);
    },
    TemplateLiteral: (node) => add(node.quasis.map(({ value }) => value.cooked).join(VALUE), node),
  }).visit(parsed.program);
  return found;
}
