import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isFromDiscord, parsePublicKey, type SignedCall } from "../../src/commands/interaction-signature.ts";

const pair = generateKeyPairSync("ed25519");
const hex = Buffer.from(String(pair.publicKey.export({ format: "jwk" }).x), "base64url").toString("hex");
const now = 1_800_000_000_000;
const body = Buffer.from('{"type":1}');

function signCall(ageMs: number, privateKey: typeof pair.privateKey = pair.privateKey): SignedCall {
  const timestamp = String(Math.floor((now - ageMs) / 1000));
  const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString("hex");
  return { signature, timestamp, body };
}

function isTaken(call: SignedCall, key: string = hex): boolean {
  const publicKey = parsePublicKey(key);
  return publicKey !== undefined && isFromDiscord(call, publicKey, now);
}

describe("attack 11: a call of the interactions' endpoint", () => {
  test("is taken with Discord's signature", () => {
    expect(isTaken(signCall(0))).toBe(true);
    expect(isTaken({ ...signCall(0), signature: signCall(0).signature?.toUpperCase() ?? null })).toBe(true);
    expect(isTaken(signCall(0), hex.toUpperCase())).toBe(true);
  });

  it.each<[what: string, change: Partial<SignedCall>]>([
    ["another body", { body: Buffer.from('{"type":2}') }],
    ["no body", { body: Buffer.alloc(0) }],
    ["another time", { timestamp: String(now / 1000 - 1) }],
    ["no time", { timestamp: null }],
    ["no signature", { signature: null }],
    ["an empty signature", { signature: "" }],
    ["half a signature", { signature: signCall(0).signature?.slice(0, 64) ?? null }],
    ["a signature that is none", { signature: "z".repeat(128) }],
    ["a signature of zeros", { signature: "0".repeat(128) }],
    ["somebody else's signature", { signature: signCall(0, generateKeyPairSync("ed25519").privateKey).signature }],
  ])("is refused with %s", (_what, change) => {
    expect(isTaken({ ...signCall(0), ...change })).toBe(false);
  });

  it.each([
    [5 * 60_000, true],
    [5 * 60_000 + 1_000, false],
    [-5_000, true],
    [-6_000, false],
  ])("that is %i ms old: taken %s", (ageMs, expected) => {
    expect(isTaken(signCall(ageMs))).toBe(expected);
  });

  test("that is signed with a time that is none is refused", () => {
    for (const timestamp of ["", "soon", "1e9", " 1800000000", `${"9".repeat(20)}`]) {
      const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), pair.privateKey).toString("hex");
      expect(isTaken({ signature, timestamp, body })).toBe(false);
    }
  });

  test("never throws, whatever comes", () => {
    const text = fc.option(fc.string());
    fc.assert(
      fc.property(text, text, fc.uint8Array(), (signature, timestamp, bytes) => {
        expect(isTaken({ signature, timestamp, body: bytes })).toBe(false);
      }),
    );
  });
});

test.each(["", "00", "z".repeat(64), "0".repeat(66), "é".repeat(64)])("the public key %j is none", (key) => {
  expect(parsePublicKey(key)).toBeUndefined();
});
