import { z } from "zod";

/** What of JSON Schema an OpenAPI description of Discord uses. */
export interface JsonSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly allOf?: readonly JsonSchema[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly items?: JsonSchema | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

export const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    oneOf: z.array(jsonSchema).optional(),
    anyOf: z.array(jsonSchema).optional(),
    allOf: z.array(jsonSchema).optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
    items: jsonSchema.optional(),
    pattern: z.string().optional(),
    format: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

/** Looks up what `$ref` names. */
export type FindSchema = (reference: string) => JsonSchema;

/** The first fault of a value as a sentence with its path, or undefined. Of alternatives one must fit, not exactly one. */
export function findFault(find: FindSchema, value: unknown, schema: JsonSchema, path: string): string | undefined {
  if (schema.$ref !== undefined) return findFault(find, value, find(schema.$ref), path);
  if (schema.type !== undefined && !isOfType(value, schema.type)) {
    return `${path}: is ${nameType(value)}, not ${String(schema.type)}`;
  }
  if (schema.const !== undefined && value !== schema.const) return `${path}: is not ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `${path}: ${JSON.stringify(value)} is none of its values`;
  }
  for (const part of schema.allOf ?? []) {
    const fault = findFault(find, value, part, path);
    if (fault !== undefined) return fault;
  }
  const alternatives = schema.oneOf ?? schema.anyOf;
  const faults = alternatives?.map((alternative) => findFault(find, value, alternative, path));
  if (faults !== undefined && faults.length > 0 && !faults.includes(undefined)) {
    return `${path}: fits none of ${faults.length}; the last says ${faults.findLast((fault) => fault !== undefined)}`;
  }
  return (
    findTextFault(value, schema, path) ??
    findListFault(find, value, schema, path) ??
    findFieldFault(find, value, schema, path)
  );
}

function findTextFault(value: unknown, schema: JsonSchema, path: string): string | undefined {
  if (typeof value === "number") {
    const isWithin = value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value);
    return isWithin ? undefined : `${path}: ${value} is out of bounds`;
  }
  if (typeof value !== "string") return undefined;
  const { minLength = 0, maxLength = value.length, pattern, format } = schema;
  if (value.length < minLength || value.length > maxLength) return `${path}: is ${value.length} long`;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return `${path}: "${value}" is not ${pattern}`;
  return format === "date-time" && Number.isNaN(Date.parse(value)) ? `${path}: "${value}" is no date` : undefined;
}

function findListFault(find: FindSchema, value: unknown, schema: JsonSchema, path: string): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const { minItems = 0, maxItems = value.length, items } = schema;
  if (value.length < minItems || value.length > maxItems) return `${path}: has ${value.length} entries`;
  if (items === undefined) return undefined;
  const faults = value.map((item, at) => findFault(find, item, items, `${path}[${at}]`));
  return faults.find((fault) => fault !== undefined);
}

function findFieldFault(find: FindSchema, value: unknown, schema: JsonSchema, path: string): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value).filter(([, field]) => field !== undefined));
  const missing = schema.required?.find((name) => !fields.has(name));
  if (missing !== undefined) return `${path}.${missing}: is required`;
  for (const [name, field] of fields) {
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    if (known === false) return `${path}.${name}: unknown`;
    const fault = typeof known === "object" ? findFault(find, field, known, `${path}.${name}`) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  const types = typeof type === "string" ? [type] : type;
  const own = nameType(value);
  return types.some((each) => each === own || (each === "number" && own === "integer"));
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}
