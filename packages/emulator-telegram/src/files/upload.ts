import type { Refusal } from "../answers/answer.ts";
import { refuseRequest } from "../answers/answer.ts";

/** A file in a `multipart/form-data` body. */
export class UploadedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;

  constructor(name: string, mimeType: string, bytes: Buffer) {
    this.name = name;
    this.mimeType = mimeType;
    this.bytes = bytes;
  }
}

/** Parameters as the record of calls keeps them: of an upload its name and size. */
export function describeParameters(parameters: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const described = Object.fromEntries(parameters);
  for (const [name, value] of parameters) {
    if (value instanceof UploadedFile) described[name] = { upload: value.name, sizeBytes: value.bytes.length };
  }
  return described;
}

/** The parts of a form: texts as they are, files as `UploadedFile`. */
export async function parseMultipart(
  body: Buffer,
  contentType: string,
): Promise<ReadonlyMap<string, unknown> | Refusal> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    return refuseRequest(`emulator: the form cannot be read: ${cause instanceof Error ? cause.message : "malformed"}`);
  }
  const parameters = new Map<string, unknown>();
  for (const [name, value] of form) {
    const isText = typeof value === "string";
    const read = isText ? value : new UploadedFile(value.name, value.type, Buffer.from(await value.arrayBuffer()));
    parameters.set(name, read);
  }
  return parameters;
}
