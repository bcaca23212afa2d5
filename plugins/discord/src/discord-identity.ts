import { ChannelError } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { DiscordApi } from "./rest/discord-api.ts";
import { isSnowflake } from "./snowflake.ts";

/** Who the bot is, as Discord says. */
export interface DiscordIdentity {
  readonly botId: string;
  readonly username: string;
  readonly applicationId: string;
  /** By which interactions over HTTP are signed, in hex. */
  readonly publicKey?: string;
  /** Whether Discord gives it the text of messages that do not mention it. */
  readonly hearsContent: boolean;
}

const id = z.string().refine(isSnowflake);
const user = z.object({ id, username: z.string() });
const application = z.object({ id, flags: z.number().int().nullish(), verify_key: z.string().nullish() });

/** Discord documentation, "Application Resource": the intent is granted, or granted to a small bot. */
const MESSAGE_CONTENT = 1 << 18;
const MESSAGE_CONTENT_LIMITED = 1 << 19;

/** Rejects with a `ChannelError`: `unauthorized` where the token is none. */
export async function readIdentity(api: DiscordApi): Promise<DiscordIdentity> {
  const attempt = "Connecting to Discord";
  const [me, app] = await Promise.all([
    api.call({ method: "get", route: "/users/@me", attempt }),
    api.call({ method: "get", route: "/applications/@me", attempt }),
  ]);
  const read = z.object({ me: user, app: application }).safeParse({ me, app });
  if (!read.success) {
    const advice = "this is not how Discord answers; check apiBaseUrl";
    throw new ChannelError("definite", `${attempt}: the answer does not say who the bot is; ${advice}`);
  }
  const { id: applicationId, flags, verify_key: publicKey } = read.data.app;
  return {
    botId: read.data.me.id,
    username: read.data.me.username,
    applicationId,
    ...(typeof publicKey === "string" && { publicKey }),
    // A server that says nothing of it is asked by the gateway's own refusal.
    hearsContent: typeof flags !== "number" || (flags & (MESSAGE_CONTENT | MESSAGE_CONTENT_LIMITED)) !== 0,
  };
}
