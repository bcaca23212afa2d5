import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { deriveButtonKey } from "../../src/commands/button-id.ts";
import { InteractionDesk } from "../../src/interactions/interaction-desk.ts";
import { mountInteractions } from "../../src/interactions/interaction-endpoint.ts";

const NOW = 1_800_000_000_000;
const pair = generateKeyPairSync("ed25519");
const publicKey = Buffer.from(String(pair.publicKey.export({ format: "jwk" }).x), "base64url").toString("hex");
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Posts a body as Discord signs it; answers the status and the text. */
async function post(body: string): Promise<readonly [number, string]> {
  const clock = { now: () => NOW, monotonic: () => 0, schedule: () => quiet };
  const desk = new InteractionDesk({
    me: { account: "default", botId: "7", applicationId: "7", roleIds: new Set() },
    commands: [],
    buttonKey: deriveButtonKey("a token"),
    store: async () => "stored",
    suggestTargets: async () => [],
    clock,
    now: clock.now,
    log,
  });
  let serve: ((request: Request) => Promise<Response>) | undefined;
  const mount = (_path: string, server: typeof serve) => {
    serve = server;
    return quiet;
  };
  mountInteractions({ account: "default", http: { mount }, publicKey, desk, now: clock.now, log });
  const timestamp = String(NOW / 1000);
  const signature = sign(null, Buffer.from(timestamp + body), pair.privateKey).toString("hex");
  const headers = { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp };
  const answer = await serve?.(new Request("http://127.0.0.1/", { method: "POST", body, headers }));
  return [answer?.status ?? 0, (await answer?.text()) ?? ""];
}

test.each([
  ["a ping", '{"id":"100000000000000001","type":1}', 200, '{"type":1}'],
  ["what is no interaction", '{"type":1}', 400, "no interaction"],
  ["what is no object", "1", 400, "no interaction"],
  ["what is no JSON", "{", 400, "no interaction"],
])("%s is answered", async (_what, body, status, text) => {
  expect(await post(body)).toEqual([status, text]);
});
