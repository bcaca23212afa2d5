import { z } from "zod";
import { type Answer, accept, type BotRoute, type Call, parseBody } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import { buildChannel } from "../wire/channel-wire.ts";
import { SESSION_START_LIMIT } from "../world/bot.ts";
import { buildUser } from "../world/user.ts";

/** DMs that a bot may open in a while before 40003 (D34); customary, the reference gives no figure. */
const OPEN_LIMIT = 10;
const OPEN_WINDOW_MS = 10_000;
const dmSchema: z.ZodType<{ readonly recipient_id: string }> = z.strictObject({ recipient_id: z.string() });

function readMe({ bot }: Call): Answer {
  return accept({ ...bot.user, mfa_enabled: false, verified: true, email: null, flags: 0, locale: "en-US" });
}

function readUser({ world, path }: Call): Answer {
  const user = world.findUser(path.user ?? "");
  if (user === undefined) throw refuse(10013);
  return accept(user);
}

function openDm(call: Call): Answer {
  const { world, bot } = call;
  const { recipient_id: userId } = parseBody(call, dmSchema);
  if (world.findPerson(userId) === undefined) throw refuse(world.bots.find(userId) === undefined ? 10013 : 50007);
  if (!bot.dmIds.has(userId) && world.limits === "real") {
    const waitMs = bot.countOpening(world.clock.nowMs(), OPEN_LIMIT, OPEN_WINDOW_MS);
    if (waitMs > 0) throw refuse(40003, waitMs / 1000);
  }
  return accept(buildChannel(world, world.openDm(bot.id, userId)));
}

function listGuilds({ world, bot }: Call): Answer {
  const guilds = [...bot.guildIds].map((id) => world.getGuild(id));
  return accept(
    guilds.map((guild) => ({
      id: guild.id,
      name: guild.name,
      icon: null,
      banner: null,
      owner: false,
      permissions: (guild.findPermissions(bot.id, undefined) ?? 0n).toString(),
      features: [],
    })),
  );
}

function readGateway({ world }: Call): Answer {
  return accept({ url: world.gatewayUrl });
}

function readGatewayBot({ world, bot }: Call): Answer {
  const { remaining, resetAfterMs } = bot.readStartLimit(world.clock.nowMs());
  const limit = {
    total: SESSION_START_LIMIT,
    remaining: Math.max(0, remaining),
    reset_after: Math.trunc(resetAfterMs),
  };
  return accept({ url: world.gatewayUrl, shards: 1, session_start_limit: { ...limit, max_concurrency: 1 } });
}

function readApplication({ bot }: Call): Answer {
  return accept({
    id: bot.id,
    name: bot.user.username,
    icon: null,
    description: "",
    summary: "",
    type: null,
    bot: bot.user,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: bot.publicKey,
    flags: bot.applicationFlags,
    flags_new: String(bot.applicationFlags),
    hook: true,
    is_monetized: false,
    is_verified: false,
    is_discoverable: false,
    integration_types_config: { 0: {} },
    interactions_endpoint_url: bot.interactionsUrl ?? null,
    redirect_uris: [],
    role_connections_verification_url: null,
    approximate_guild_count: bot.guildIds.size,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: ["bot", "applications.commands"],
    owner: buildUser("0", "owner", "0"),
    team: null,
  });
}

export const userRoutes: readonly BotRoute[] = [
  { template: "GET /users/@me", run: readMe },
  { template: "GET /users/@me/guilds", run: listGuilds },
  { template: "POST /users/@me/channels", run: openDm },
  { template: "GET /users/:user", run: readUser },
  { template: "GET /gateway", run: readGateway },
  { template: "GET /gateway/bot", run: readGatewayBot },
  { template: "GET /applications/@me", run: readApplication },
  { template: "GET /oauth2/applications/@me", run: readApplication },
];
