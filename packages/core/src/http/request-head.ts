import type { ChannelRequest } from "@banyan/plugin-sdk";

const METHOD = /^[A-Z]{1,20}$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Neither the end of a line nor what would be written in two ways. */
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;
/** These say where the request ends and goes; they are written from the request itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding"]);
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The lines before the body; `undefined` when one of them would not stay one line. */
export function formatRequestHead(
  url: URL,
  { method, headers = {}, body }: Pick<ChannelRequest, "headers" | "body"> & { readonly method: string },
): string | undefined {
  if (!METHOD.test(method)) return undefined;
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value)) return undefined;
    if (!OWN_FIELDS.has(name.toLowerCase())) head += `${name}: ${value}\r\n`;
  }
  if (body !== undefined) head += `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  else if (!WITHOUT_BODY.has(method)) head += "Content-Length: 0\r\n";
  return `${head}\r\n`;
}
