/** Interactions that Discord posts to the server's own address, for those who prefer it to the gateway. */
import type { KeyObject } from "node:crypto";
import { ChannelError, type ChannelHttp, type Clock, type Log } from "@banyan/plugin-sdk";
import { type BodyRead, readRequestBody } from "@banyan/plugin-sdk/kit";
import { isFromDiscord, parsePublicKey } from "../commands/interaction-signature.ts";
import { parseJson } from "../parse-json.ts";
import { PONG_ANSWER } from "./interaction-answer.ts";
import type { InteractionDesk } from "./interaction-desk.ts";

export interface InteractionEndpointOptions {
  readonly account: string;
  readonly http: ChannelHttp;
  /** Of the application, in hex. */
  readonly publicKey: string;
  readonly desk: InteractionDesk;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

/** Interactions are a few kilobytes; nothing of that size is one. */
const BODY_LIMIT_BYTES = 256 * 1024;
/** So long Discord waits for the answer; what takes longer is none of its calls. */
const BODY_TIMEOUT_MS = 3_000;
/** "Interaction Type", docs.discord.com/developers/interactions/receiving-and-responding. */
const PING = 1;
const SIGNATURE_HEADER = "X-Signature-Ed25519";

/** Serves `/discord/<account>/interactions` until the disposer is called. */
export function mountInteractions(options: InteractionEndpointOptions): () => void {
  const { http, account } = options;
  const key = parsePublicKey(options.publicKey);
  if (key === undefined) {
    const advice = "check apiBaseUrl, or set interactions to gateway";
    throw new ChannelError("permanent", `Taking interactions over HTTP: Discord tells no public key; ${advice}`);
  }
  return http.mount(`/discord/${account}/interactions`, (request) => serve(request, key, options), { access: "open" });
}

async function serve(
  request: Request,
  key: KeyObject,
  { desk, clock, now, log }: InteractionEndpointOptions,
): Promise<Response> {
  if (request.method !== "POST") return new Response("POST only", { status: 405, headers: { allow: "POST" } });
  const signature = request.headers.get(SIGNATURE_HEADER);
  const timestamp = request.headers.get("x-signature-timestamp");
  if (signature === null || timestamp === null) return refuseSignature();
  const read = await readRequestBody(request, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: BODY_TIMEOUT_MS, clock });
  if (read.status !== "read") return refuseBody(read.status);
  const body = read.bytes;
  // Discord itself sends wrong ones now and then, to see that they are refused.
  if (!isFromDiscord({ signature, timestamp, body }, key, now())) return refuseSignature();
  const payload: unknown = parseJson(new TextDecoder().decode(body));
  if (typeof payload !== "object" || payload === null) return new Response("no interaction", { status: 400 });
  // Whoever saves the address asks first whether somebody is there, at times without an id.
  if ("type" in payload && payload.type === PING) return Response.json(PONG_ANSWER);
  return new Promise((resolve) => {
    desk
      .begin(payload, async (answer) => resolve(Response.json(answer)))()
      // Nothing where it was answered.
      .then(() => resolve(new Response("no interaction", { status: 400 })))
      .catch((error: unknown) => {
        log.error({ err: error }, "an interaction was not stored; its author is notified that it failed");
        resolve(new Response("not stored", { status: 500 }));
      });
  });
}

/** HTTP requires a 401 to name what is missing. */
function refuseSignature(): Response {
  return new Response("invalid request signature", { status: 401, headers: { "www-authenticate": SIGNATURE_HEADER } });
}

function refuseBody(why: Exclude<BodyRead["status"], "read">): Response {
  switch (why) {
    case "too_large":
      return new Response("too large", { status: 413 });
    case "too_slow":
      // What comes of it later is nobody's request.
      return new Response("too slow", { status: 408, headers: { connection: "close" } });
    case "broken_off":
      return new Response("broken off", { status: 400 });
  }
}
