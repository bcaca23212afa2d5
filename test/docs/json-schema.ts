import { z } from "zod";

/** What the pages read of a JSON Schema. */
export interface JsonSchema {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly minItems?: number | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
}

const schema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    minLength: z.number().optional(),
    maxItems: z.number().optional(),
    minItems: z.number().optional(),
    items: schema.optional(),
    anyOf: z.array(schema).optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
  }),
);

export function parseJsonSchema(given: unknown): JsonSchema {
  return schema.parse(given);
}

/** What a value must be, in Markdown: `integer, 1–8`. */
export function formatType(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(formatValue).join(" · ");
  if (schema.const !== undefined) return formatValue(schema.const);
  if (schema.anyOf !== undefined) return formatChoices(schema.anyOf);
  switch (schema.type) {
    case "array":
      return `list of ${formatPlural(schema.items)}${schema.maxItems === undefined ? "" : `, at most ${formatNumber(schema.maxItems)}`}`;
    case "integer":
    case "number":
      return [schema.type, formatRange(schema)].filter((part) => part !== "").join(", ");
    case "string":
      return schema.format === "uri" ? "URL" : "string";
    case "object":
      return "object";
    case undefined:
      return "any value";
    default:
      return schema.type;
  }
}

/** As it is written in a configuration. */
export function formatValue(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function formatChoices(choices: readonly JsonSchema[]): string {
  return choices.map(formatType).join(" or ");
}

function formatPlural(items: JsonSchema | undefined): string {
  if (items?.anyOf !== undefined) return items.anyOf.map(formatPlural).join(" or ");
  return items?.type === undefined ? "values" : `${items.type}s`;
}

/** Bounds that only say that a number is a safe integer are left out. */
function formatRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? undefined : formatNumber(minimum);
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : formatNumber(maximum);
  if (exclusiveMinimum !== undefined) {
    return [`above ${formatNumber(exclusiveMinimum)}`, ...(most === undefined ? [] : [`at most ${most}`])].join(", ");
  }
  if (least !== undefined && most !== undefined) return `${least}–${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? "" : `at most ${most}`;
}

function formatNumber(value: number): string {
  return value.toLocaleString("en");
}
