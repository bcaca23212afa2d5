export interface TypeField {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
}

/** The types of the Bot API by name. */
export interface TypeTable {
  find(
    name: string,
  ):
    | { readonly fields?: readonly TypeField[] | undefined; readonly subtypes?: readonly string[] | undefined }
    | undefined;
  /** Whether a field that the type does not have is let through. */
  allows(type: string, field: string): boolean;
}

/** Where and why the value is of none of the types, undefined if it is of one. */
export function findTypeFault(
  table: TypeTable,
  value: unknown,
  types: readonly string[],
  path: string,
): string | undefined {
  const faults = types.map((type) => findFaultOfType(table, value, type, path));
  return faults.includes(undefined) ? undefined : faults.join(" or ");
}

function findFaultOfType(table: TypeTable, value: unknown, type: string, path: string): string | undefined {
  const element = /^Array of (.+)$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) return `${path}: no array`;
    for (const [at, each] of value.entries()) {
      const fault = findTypeFault(table, each, element.split(/ or |, | and /), `${path}[${at}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  switch (type) {
    case "Integer":
      return Number.isSafeInteger(value) ? undefined : `${path}: no integer`;
    case "Float":
      return typeof value === "number" ? undefined : `${path}: no number`;
    case "String":
      return typeof value === "string" ? undefined : `${path}: no string`;
    case "Boolean":
    case "True":
      return typeof value === "boolean" ? undefined : `${path}: no boolean`;
    default:
      return findFaultOfObject(table, value, type, path);
  }
}

function findFaultOfObject(table: TypeTable, value: unknown, type: string, path: string): string | undefined {
  const description = table.find(type);
  if (typeof value !== "object" || value === null || description === undefined) return `${path}: no ${type}`;
  const { subtypes = [], fields = [] } = description;
  if (subtypes.length > 0) return findTypeFault(table, value, subtypes, path);
  const members = new Map<string, unknown>(Object.entries(value));
  for (const name of members.keys()) {
    if (!fields.some((field) => field.name === name) && !table.allows(type, name)) {
      return `${path}.${name}: not in ${type}`;
    }
  }
  for (const { name, types, required } of fields) {
    const member = members.get(name);
    if (member === undefined && !required) continue;
    const fault = findTypeFault(table, member, types, `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
