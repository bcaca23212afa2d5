import type { IncomingMessage } from "node:http";
import type { UploadedFile } from "./call.ts";
import { refuse } from "./refusal.ts";

export interface RequestBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

const NO_BODY: RequestBody = { body: undefined, files: [] };

/** JSON, or a form of `payload_json` and files (Uploading Files). Throws the refusal of what is neither. */
export async function parseRequestBody(request: IncomingMessage, bytes: Buffer): Promise<RequestBody> {
  const contentType = request.headers["content-type"] ?? "";
  if (bytes.length === 0) return NO_BODY;
  if (contentType.startsWith("multipart/form-data")) return parseForm(bytes, contentType);
  if (contentType.startsWith("application/json")) return { body: parseJson(bytes.toString()), files: [] };
  throw refuse(50109);
}

async function parseForm(bytes: Buffer, contentType: string): Promise<RequestBody> {
  const headers = { "content-type": contentType };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  const files: UploadedFile[] = [];
  let body: unknown = {};
  for (const [field, value] of form) {
    if (field === "payload_json") body = parseJson(typeof value === "string" ? value : await value.text());
    else if (typeof value !== "string") {
      files.push({ field, filename: value.name, contentType: value.type, sizeBytes: value.size });
    }
  }
  return { body, files };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw refuse(50109);
    throw cause;
  }
}
