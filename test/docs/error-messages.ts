import { type Node, Visitor } from "oxc-parser";
import { isProduct, readSources, type SourceFile } from "../house/source-file.ts";

/** Takes the place of a value in a message. */
const VALUE = "…";
/** Classes with a code as their first and a message as their second argument. */
const ERROR_CLASSES: ReadonlySet<string> = new Set(["BanyanError", "StoreError"]);
/** Fewer letters say nothing that a reader could search for. */
const FEWEST_LETTERS = 18;
/** Errors that only tests and `store.driver: "memory"` meet. */
const LEFT_OUT = /^packages\/store-sqlite\/src\/inline\//;

/** A string, as far as the source says it. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/** The messages that the sources give each code, by the code: what was attempted and what was wrong, without the cure. */
export function readErrorMessages(): ReadonlyMap<string, readonly string[]> {
  const messages = new Map<string, readonly string[]>();
  for (const file of readSources()) {
    if (!isProduct(file) || LEFT_OUT.test(file.path)) continue;
    for (const [code, message] of listMessages(file)) {
      const wrong = message
        .replace(/; .*$/s, "")
        .replace(/, received …$/, "")
        .replaceAll(/(?:…)+/g, VALUE);
      const known = messages.get(code) ?? [];
      if (countLetters(wrong) >= FEWEST_LETTERS && !known.includes(wrong)) messages.set(code, [...known, wrong]);
    }
  }
  return messages;
}

function listMessages({ parsed }: SourceFile): readonly (readonly [code: string, message: string])[] {
  const found: [string, string][] = [];
  const named: Named[] = [];
  const add = (code: Node | undefined, message: Node | undefined) => {
    const [codeText, messageText] = [readText(code, named), readText(message, named)];
    if (codeText !== undefined && messageText !== undefined) found.push([codeText, messageText]);
  };
  new Visitor({
    VariableDeclarator({ id, init }) {
      const text = readText(init, named);
      if (id.type === "Identifier" && text !== undefined) named.push({ name: id.name, text });
    },
    NewExpression({ callee, arguments: [code, message] }) {
      if (callee.type === "Identifier" && ERROR_CLASSES.has(callee.name)) add(code, message);
    },
    CallExpression({ callee, arguments: [code, message] }) {
      if (callee.type === "Super") add(code, message);
    },
  }).visit(parsed.program);
  return found;
}

/** A literal, or the one that a name had last. */
function readText(node: Node | null | undefined, named: readonly Named[]): string | undefined {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node?.type === "TemplateLiteral") return node.quasis.map(({ value }) => value.cooked).join(VALUE);
  if (node?.type === "Identifier") return named.findLast(({ name }) => name === node.name)?.text;
  return undefined;
}

function countLetters(text: string): number {
  return text.replaceAll(/[^a-z]/gi, "").length;
}
