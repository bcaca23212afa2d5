import type { IncomingMessage } from "node:http";
import { type Refusal, refuseRequest } from "../answers/answer.ts";
import { parseMultipart } from "../files/upload.ts";

/** The parameters of one call by name: values of a JSON body as they are, all others as text. */
export type RequestParameters = ReadonlyMap<string, unknown>;

/** Query string first, the body over it, as the real server merges them. */
export async function parseRequestParameters(
  request: IncomingMessage,
  query: string,
  body: Buffer,
): Promise<RequestParameters | Refusal> {
  const parameters = new Map<string, unknown>();
  if (query !== "") addPairs(parameters, query);
  if (body.length === 0) return parameters;

  const contentType = request.headers["content-type"] ?? "";
  if (contentType.startsWith("application/json")) return addJson(parameters, body.toString());
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    addPairs(parameters, body.toString());
    return parameters;
  }
  if (contentType.startsWith("multipart/form-data")) {
    const form = await parseMultipart(body, contentType);
    return "ok" in form ? form : new Map([...parameters, ...form]);
  }
  return refuseRequest(
    `emulator: a body of content type "${contentType}" is not emulated; send JSON, urlencoded or a form`,
  );
}

function addPairs(parameters: Map<string, unknown>, text: string): void {
  for (const [name, value] of new URLSearchParams(text)) parameters.set(name, value);
}

function addJson(parameters: Map<string, unknown>, body: string): RequestParameters | Refusal {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    return refuseRequest(`can't parse JSON object: ${cause instanceof Error ? cause.message : "malformed"}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return refuseRequest("object expected as JSON body");
  }
  for (const [name, value] of Object.entries(parsed)) parameters.set(name, value);
  return parameters;
}
