import { z } from "zod";
import type { CallRecord } from "../records/call-record.ts";
import { findFault, type JsonSchema, jsonSchema } from "./json-schema.ts";

const content = z.object({ "application/json": z.object({ schema: jsonSchema }).optional() });
const answer = z.object({ $ref: z.string().optional(), content: content.optional() });
const parameter = z.object({ name: z.string(), in: z.string(), schema: jsonSchema, required: z.boolean().optional() });
const operation = z.object({
  parameters: z.array(parameter).optional(),
  requestBody: z.object({ content, required: z.boolean().optional() }).optional(),
  responses: z.record(z.string(), answer),
});
const methods = ["get", "post", "put", "patch", "delete"] as const;
const specSchema = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: operation.optional(),
      post: operation.optional(),
      put: operation.optional(),
      patch: operation.optional(),
      delete: operation.optional(),
    }),
  ),
  components: z.object({ schemas: z.record(z.string(), jsonSchema), responses: z.record(z.string(), answer) }),
});

type Spec = z.infer<typeof specSchema>;
type Method = z.infer<typeof operation>;

/** Something that traffic has and the description has not, and why it may all the same. */
export interface SchemaAllowance {
  /** A beginning of the fault as it is told without it. */
  readonly fault: string;
  readonly reason: string;
}

/** Checks what goes over the wire against Discord's OpenAPI description; a fault is a sentence. */
export interface DiscordSchema {
  /** Requests and answers of an emulator's record; requests that were refused are not looked at. */
  checkCalls(calls: readonly CallRecord[]): readonly string[];
}

/** `spec` is the OpenAPI description as data. */
export function createDiscordSchema(spec: unknown, allowances: readonly SchemaAllowance[] = []): DiscordSchema {
  const parsed = specSchema.parse(spec);
  return {
    checkCalls: (calls) =>
      calls
        .flatMap((call) => checkCall(parsed, call))
        .filter((fault) => !allowances.some((allowance) => fault.startsWith(allowance.fault))),
  };
}

function checkCall(spec: Spec, call: CallRecord): string[] {
  const { route, fault, answer: given, body, files } = call;
  const method = findMethod(spec, call);
  if (method === undefined) return given?.status === 404 || given?.status === 405 ? [] : [`${route}: is not described`];
  const isRefused = given !== undefined && given.status >= 400;
  const isInjected = fault === "status" || fault === "garbage" || fault === "rate-limit";
  const wanted = method.requestBody?.content["application/json"]?.schema;
  const faults = [
    ...(isRefused ? [] : findQueryFaults(spec, method, call)),
    isRefused || wanted === undefined || (body === undefined && method.requestBody?.required !== true)
      ? undefined
      : findFault(finder(spec), body, wanted, `${route} request`),
    given === undefined || isInjected ? undefined : findAnswerFault(spec, method, route, given),
    method.requestBody === undefined && files.length > 0 ? `${route} request: takes no files` : undefined,
  ];
  return faults.filter((each) => each !== undefined);
}

function findQueryFaults(spec: Spec, method: Method, { route, query }: CallRecord): readonly (string | undefined)[] {
  return [...new URLSearchParams(query)].map(([name, text]) => {
    const known = method.parameters?.find((each) => each.in === "query" && each.name === name);
    if (known === undefined) return `${route} query: unknown: ${name}`;
    const read = [text, Number(text), text === "true"].map((value) =>
      findFault(finder(spec), value, known.schema, `${route} query ${name}`),
    );
    return read.includes(undefined) ? undefined : read[0];
  });
}

function findAnswerFault(
  spec: Spec,
  method: Method,
  route: string,
  { status, body }: NonNullable<CallRecord["answer"]>,
): string | undefined {
  const named = method.responses[String(status)] ?? (status >= 400 ? method.responses["4XX"] : undefined);
  if (named === undefined) return `${route} answer: status ${status} is not described`;
  const described = named.$ref === undefined ? named : spec.components.responses[named.$ref.split("/").at(-1) ?? ""];
  const schema: JsonSchema | undefined = described?.content?.["application/json"]?.schema;
  if (schema === undefined) return body === null ? undefined : `${route} answer: status ${status} has no body`;
  return findFault(finder(spec), body, schema, `${route} answer`);
}

/** By the path as called: a literal part, such as `@me`, goes before a named one. */
function findMethod({ paths }: Spec, { path, route }: CallRecord): Method | undefined {
  const parts = path.split("/");
  const verb = methods.find((each) => route.startsWith(`${each.toUpperCase()} `));
  const fitting = Object.entries(paths)
    .map(([template, item]) => ({ template: template.split("/"), item }))
    .filter(({ template }) => template.length === parts.length)
    .filter(({ template }) => template.every((part, at) => part.startsWith("{") || part === parts[at]))
    .sort((a, b) => countNames(a.template) - countNames(b.template));
  return verb && fitting[0]?.item[verb];
}

function countNames(template: readonly string[]): number {
  return template.filter((part) => part.startsWith("{")).length;
}

function finder({ components }: Spec): (reference: string) => JsonSchema {
  return (reference) => components.schemas[reference.split("/").at(-1) ?? ""] ?? { const: `unknown ${reference}` };
}
