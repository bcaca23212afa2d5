import { type BindingPattern, type Expression, type Node, type TSType, Visitor } from "oxc-parser";
import { formatPlace, type SourceFile } from "./source-file.ts";

/** Classes whose instances hold nothing that changes. */
const STATELESS: ReadonlySet<string> = new Set(["RegExp", "URL", "TextEncoder", "TextDecoder", "Intl"]);

/**
 * What a module keeps between calls, as `path:line code`: a `let` or `var` at the top; a `const` that holds a
 * collection without a `readonly` type; anything made with `new`; the same in a static field.
 */
export function listModuleState(file: SourceFile): readonly string[] {
  const held: Node[] = [];
  for (const statement of file.parsed.program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration" || declared.declare === true) continue;
    if (declared.kind !== "const") held.push(declared);
    else held.push(...declared.declarations.filter(({ id, init }) => holdsState(init, findAnnotation(id))));
  }
  const visitor = new Visitor({
    PropertyDefinition(field) {
      if (!field.static) return;
      if (!field.readonly || holdsState(field.value, field.typeAnnotation?.typeAnnotation)) held.push(field);
    },
  });
  if (file.text.includes("static ")) visitor.visit(file.parsed.program);
  return held.map(({ start, end }) => {
    const [firstLine = ""] = file.text.slice(start, end).split("\n");
    return formatPlace(file.path, file.text, start, firstLine);
  });
}

function findAnnotation(id: BindingPattern): TSType | undefined {
  return id.typeAnnotation?.typeAnnotation;
}

function holdsState(value: Expression | null, annotation: TSType | undefined): boolean {
  if (value === null || isReadonly(annotation)) return false;
  if (value.type === "ArrayExpression") return true;
  if (value.type === "ObjectExpression") return value.properties.length === 0;
  if (value.type !== "NewExpression") return false;
  const { callee } = value;
  const root = callee.type === "MemberExpression" ? callee.object : callee;
  return root.type !== "Identifier" || !STATELESS.has(root.name);
}

/** `readonly T[]`, `ReadonlyMap`, `ReadonlySet`, `Readonly<…>`. An `as const` is an expression of its own kind. */
function isReadonly(annotation: TSType | undefined): boolean {
  if (annotation?.type === "TSTypeOperator") return annotation.operator === "readonly";
  if (annotation?.type !== "TSTypeReference") return false;
  return annotation.typeName.type === "Identifier" && annotation.typeName.name.startsWith("Readonly");
}
