import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, Visitor } from "oxc-parser";
import { listFiles, REPOSITORY } from "../house/repository.ts";
import { parseSource } from "../house/source-file.ts";

/** The contract of the hooks. */
const FOLDER = "packages/plugin-sdk/src/hooks";
const HOOKS = "LifecycleHooks";

/** An interface as the page needs it: its fields, and what it extends. */
interface Shape {
  readonly fields: readonly string[];
  readonly above: readonly string[];
}

/** The fields of each hook's payload, as the contract declares them; `?` where one may be absent. */
export function readHookPayloads(): ReadonlyMap<string, readonly string[]> {
  const shapes = new Map<string, Shape>();
  const payloads = new Map<string, Node | undefined>();
  for (const path of listFiles(FOLDER)) {
    const { parsed } = parseSource(path, readFileSync(join(REPOSITORY, path), "utf8"));
    new Visitor({
      TSInterfaceDeclaration({ id, body, extends: above }) {
        shapes.set(id.name, {
          fields: listMembers(body.body),
          above: above.flatMap(({ expression }) => (expression.type === "Identifier" ? [expression.name] : [])),
        });
        if (id.name !== HOOKS) return;
        for (const member of body.body) {
          if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") continue;
          const type = member.typeAnnotation?.typeAnnotation;
          if (type?.type === "TSTypeReference") payloads.set(member.key.name, type.typeArguments?.params[0]);
        }
      },
    }).visit(parsed.program);
  }
  return new Map([...payloads].map(([hook, payload]) => [hook, listFields(payload, shapes)]));
}

function listFields(type: Node | undefined, shapes: ReadonlyMap<string, Shape>): readonly string[] {
  if (type?.type === "TSIntersectionType") return type.types.flatMap((part) => listFields(part, shapes));
  if (type?.type === "TSTypeLiteral") return listMembers(type.members);
  if (type?.type === "TSTypeReference" && type.typeName.type === "Identifier")
    return listOf(type.typeName.name, shapes);
  return [];
}

function listOf(name: string, shapes: ReadonlyMap<string, Shape>): readonly string[] {
  const { fields = [], above = [] } = shapes.get(name) ?? {};
  return [...above.flatMap((other) => listOf(other, shapes)), ...fields];
}

function listMembers(members: readonly Node[]): readonly string[] {
  return members.flatMap((member) =>
    member.type === "TSPropertySignature" && member.key.type === "Identifier"
      ? [`${member.key.name}${member.optional ? "?" : ""}`]
      : [],
  );
}
