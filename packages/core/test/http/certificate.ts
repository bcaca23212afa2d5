/** Certificates (X.509, RFC 5280) that a test makes for itself; node signs, and writes none. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Certificate {
  readonly pem: string;
  readonly key: KeyObject;
  readonly name: string;
}

const HOUR_MS = 3_600_000;
const ECDSA_WITH_SHA256 = "06082a8648ce3d040302";
const COMMON_NAME = "0603550403";
const BASIC_CONSTRAINTS = "0603551d13";
const ALTERNATIVE_NAME = "0603551d11";

/** One that may sign others, by itself. */
export function createAuthority(name: string): Certificate {
  return build(name, undefined, [BASIC_CONSTRAINTS, "0101ff", wrap(0x04, wrap(0x30, "0101ff"))]);
}

/** One for a server of that DNS name. */
export function createServerCertificate(name: string, authority: Certificate): Certificate {
  const names = wrap(0x30, wrap(0x82, Buffer.from(name).toString("hex")));
  return build(name, authority, [ALTERNATIVE_NAME, wrap(0x04, names)]);
}

function build(name: string, authority: Certificate | undefined, extension: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = wrap(0x30, ECDSA_WITH_SHA256);
  const body = wrap(
    0x30,
    wrap(0xa0, "020102"),
    wrap(0x02, "01"),
    algorithm,
    formatName(authority?.name ?? name),
    wrap(0x30, formatTime(Date.now() - HOUR_MS), formatTime(Date.now() + HOUR_MS)),
    formatName(name),
    publicKey.export({ type: "spki", format: "der" }).toString("hex"),
    wrap(0xa3, wrap(0x30, wrap(0x30, ...extension))),
  );
  const signature = sign("sha256", Buffer.from(body, "hex"), authority?.key ?? privateKey).toString("hex");
  const der = Buffer.from(wrap(0x30, body, algorithm, wrap(0x03, "00", signature)), "hex");
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    pem: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey,
    name,
  };
}

/** A value of DER (X.690): tag, length, content, in hexadecimal. */
function wrap(tag: number, ...parts: readonly string[]): string {
  const content = parts.join("");
  const length = content.length / 2;
  const digits = length.toString(16).padStart(length > 255 ? 4 : 2, "0");
  const more = length > 127 ? (0x80 + digits.length / 2).toString(16) : "";
  return tag.toString(16).padStart(2, "0") + more + digits + content;
}

function formatName(name: string): string {
  return wrap(0x30, wrap(0x31, wrap(0x30, COMMON_NAME, wrap(0x0c, Buffer.from(name).toString("hex")))));
}

function formatTime(atMs: number): string {
  const digits = new Date(atMs).toISOString().replace(/[-:T]|\.\d+/g, "");
  return wrap(0x18, Buffer.from(digits).toString("hex"));
}
