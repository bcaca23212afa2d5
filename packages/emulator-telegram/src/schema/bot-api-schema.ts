import { z } from "zod";
import type { CallRecord } from "../records/call-record.ts";
import { findTypeFault, type TypeTable } from "./type-fault.ts";

const fieldSchema = z.object({ name: z.string(), types: z.array(z.string()), required: z.boolean() });
const specSchema = z.object({
  methods: z.record(z.string(), z.object({ returns: z.array(z.string()), fields: z.array(fieldSchema).optional() })),
  types: z.record(
    z.string(),
    z.object({ fields: z.array(fieldSchema).optional(), subtypes: z.array(z.string()).optional() }),
  ),
});

/** A field that a specification older than the traffic does not know, and why it may be there all the same. */
export interface SchemaAllowance {
  /** A type, or a method for one of its parameters. */
  readonly type: string;
  readonly field: string;
  readonly reason: string;
}

/** Checks what goes over the wire against the Bot API as data; a fault is a sentence, undefined is none. */
export interface BotApiSchema {
  /** Whether the method exists and takes these parameters, all required ones among them. */
  checkRequest(method: string, params: Readonly<Record<string, unknown>>): string | undefined;
  checkResult(method: string, result: unknown): string | undefined;
  /** Also that it has exactly one payload. */
  checkUpdate(update: unknown): string | undefined;
  /** Requests and answers of an emulator's record, those of refused calls too. */
  checkCalls(calls: readonly CallRecord[]): readonly string[];
}

/** `spec` is the machine-readable Bot API: its `methods` and `types`, each by name with its fields. */
export function createBotApiSchema(spec: unknown, allowances: readonly SchemaAllowance[] = []): BotApiSchema {
  const { methods, types } = specSchema.parse(spec);
  const allowed = new Set(allowances.map(({ type, field }) => `${type}.${field}`));
  const table: TypeTable = {
    find: (name) => types[name],
    allows: (type, field) => allowed.has(`${type}.${field}`),
  };

  const schema: BotApiSchema = {
    checkRequest(method, params) {
      const known = methods[method];
      if (known === undefined) return `${method}: no method of the Bot API`;
      const fields = known.fields ?? [];
      for (const [name, value] of Object.entries(params)) {
        const field = fields.find((each) => each.name === name);
        if (field === undefined && table.allows(method, name)) continue;
        if (field === undefined) return `${method}.${name}: no parameter of it`;
        const fault = findTypeFault(table, readParameter(value, field.types), field.types, `${method}.${name}`);
        if (fault !== undefined) return fault;
      }
      const missing = fields.find(({ name, required }) => required && params[name] === undefined);
      return missing && `${method}.${missing.name}: is required`;
    },
    checkResult: (method, result) =>
      methods[method] === undefined
        ? `${method}: no method of the Bot API`
        : findTypeFault(table, result, methods[method].returns, method),
    checkUpdate(update) {
      const kinds = typeof update === "object" && update !== null ? Object.keys(update).length - 1 : 0;
      return kinds === 1 ? findTypeFault(table, update, ["Update"], "update") : `update: ${kinds} payloads, not one`;
    },
    checkCalls: (calls) => calls.flatMap((call) => checkCall(schema, table, call)),
  };
  return schema;
}

const envelopeSchema = z.union([
  z.strictObject({ ok: z.literal(true), result: z.unknown() }),
  z.strictObject({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.string().min(1),
    parameters: z.unknown().optional(),
  }),
]);

function checkCall(schema: BotApiSchema, table: TypeTable, call: CallRecord): string[] {
  const { method, params, answer, fault, seq } = call;
  const faults = [schema.checkRequest(method, params)];
  const isPage = fault === "server-error" || fault === "garbage";
  if (answer !== undefined && !isPage) {
    const body = envelopeSchema.safeParse(answer.body);
    if (!body.success) faults.push(`${method}: the answer is no envelope of the Bot API`);
    else if (!body.data.ok && body.data.parameters !== undefined) {
      faults.push(findTypeFault(table, body.data.parameters, ["ResponseParameters"], `${method} refused`));
    } else if (body.data.ok) {
      faults.push(schema.checkResult(method, body.data.result));
      if (method === "getUpdates" && Array.isArray(body.data.result)) {
        faults.push(...body.data.result.map((update) => schema.checkUpdate(update)));
      }
    }
  }
  return faults.flatMap((each) => (each === undefined ? [] : [`call ${seq}: ${each}`]));
}

/** Outside of JSON bodies all values come as text. */
function readParameter(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== "string" || types.includes("String")) return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON: the text itself then fits none of the types.
    return value;
  }
}
