import {
  CHANNEL_API_VERSION,
  type ChannelConnection,
  type ChannelContext,
  type ChannelPlugin,
  defineChannelPlugin,
} from "@banyan/plugin-sdk";
import { createAccountHealth } from "@banyan/plugin-sdk/kit";
import { createFaultReport } from "../../../../plugins/discord/src/fault-report.ts";
import { EventIntake } from "../../../../plugins/discord/src/gateway/event-intake.ts";
import { GapReader } from "../../../../plugins/discord/src/gateway/gap-reader.ts";
import { GuildWatch } from "../../../../plugins/discord/src/gateway/guild-watch.ts";
import { createMessageTranslation } from "../../../../plugins/discord/src/inbound/message-translation.ts";
import { createPlaceDirectory } from "../../../../plugins/discord/src/places/place-directory.ts";
import { DraftBook } from "../../../../plugins/discord/src/sending/draft-book.ts";
import { createMessageSender } from "../../../../plugins/discord/src/sending/message-sender.ts";
import { buildSnowflake } from "../../../../plugins/discord/src/snowflake.ts";
import { begin } from "../../../../plugins/discord/src/state/account-state.ts";
import { createStateKeeper } from "../../../../plugins/discord/src/state/state-keeper.ts";
import { findPlaceState } from "../../../../plugins/discord/src/threads/place-state.ts";
import { ThreadFates, type ThreadFatesOptions } from "../../../../plugins/discord/src/threads/thread-fates.ts";
import { createThreadRelease } from "../../../../plugins/discord/src/threads/thread-release.ts";
import { createThreadRescue } from "../../../../plugins/discord/src/threads/thread-rescue.ts";
import { createThreads } from "../../../../plugins/discord/src/threads/threads.ts";
import type { Defect } from "../../defects/defect.ts";
import type { Town } from "../town.ts";
import { GatewayLine } from "./gateway-line.ts";
import { BOT } from "./guild.ts";
import type { PlatformTown } from "./platform-town.ts";
import type { MortalGuest } from "./rest-door.ts";
import { SimLibrary, TOKEN } from "./sim-api.ts";

export interface DiscordPluginParts {
  readonly town: Town;
  readonly platform: PlatformTown;
  readonly guest: MortalGuest;
  readonly defect: Defect;
}

/** The Discord plugin's own rules over a platform in memory: all of it but the wire. */
export function createDiscordPlugin(parts: DiscordPluginParts): ChannelPlugin<unknown> {
  return defineChannelPlugin<unknown>({
    id: "discord",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm", "channel"],
      text: { limit: 300, measure: (text) => text.length },
      threads: true,
      edits: false,
      delivery: "effectively-once",
    },
    config: { "~standard": { version: 1, vendor: "simulation", validate: (value) => ({ value }) } },
    async connect(context) {
      await parts.town.greet(parts.guest, "discord/grove");
      return connect(context, parts);
    },
  });
}

async function connect(context: ChannelContext<unknown>, parts: DiscordPluginParts): Promise<ChannelConnection> {
  const { platform, guest, defect } = parts;
  const { account, clock, cursor, log, receive, report, threadGone, findDelivered } = context;
  const { ground, door, gate } = platform;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const library = new SimLibrary({ ground, guest, door, clock, signal });
  const { platformNow } = library;
  const wrap = defect.wrapApi ?? ((same) => same);
  const api = wrap(library.createApi(), ground);
  const keeper = createStateKeeper({ cursor, receive, platformNow });
  const health = createAccountHealth(report, log);
  const look: ThreadFatesOptions["look"] = (place) => findPlaceState(place, { api, botId: BOT });
  const fates = new ThreadFates({ clock, keeper, health, log, look });
  const release = createThreadRelease({ api, fates, fallback: context.threadFallback, threadGone });
  const now = () => platformNow() ?? clock.now();
  // Read once: a change is made twice, to what is stored and to what came meanwhile.
  const first = buildSnowflake(now() + 1);
  if (keeper.state.at === undefined) await keeper.store([], (state) => begin(state, first));
  const directory = createPlaceDirectory({ read: api.findChannel });
  const me = { account, botId: BOT, applicationId: BOT, roleIds: directory.roleIds };
  const translation = createMessageTranslation({ me, directory, fates, health, log });
  const gap = new GapReader({ api, log, now, translate: translation.fromHistory });
  const reportFault = createFaultReport(TOKEN);
  const random = () => ground.random.next();
  const intake = new EventIntake({
    ...{ keeper, health, reportFault, clock, log, random, signal },
    watch: new GuildWatch({ account, botId: BOT, keeper, directory, gap, fates, log, threadGone }),
    translate: translation.fromGateway,
    interact: () => async () => undefined,
    onOverflow: () => line.rewind(),
  });
  const line = new GatewayLine({ gate, guest, keeper, clock, signal, onEvent: (event) => intake.push(event) });
  const search = { api, botId: BOT, now: () => clock.now(), platformNow, findDelivered };
  const drafts = new DraftBook({ api, keeper, search, clock, log, signal });
  drafts.sweep();
  const config = { threadType: "public", threadArchiveMinutes: 60 } as const;
  return {
    async send(part) {
      const own = wrap(library.createApi(part), ground);
      const sender = createMessageSender({
        ...{ api: own, clock, search: { ...search, api: own } },
        sendToThread: createThreadRescue({
          ...{ api: own, botId: BOT, fates, log },
          release: createThreadRelease({ api: own, fates, fallback: context.threadFallback, threadGone }),
        }),
        settleDraft(draft, content, extras) {
          platform.desk.expectFinal(part, content);
          return drafts.settle(draft, content, extras);
        },
      });
      try {
        return await sender.send(part);
      } finally {
        platform.desk.noteRefusal(part);
      }
    },
    progress: drafts.progress,
    threads: createThreads({ account, api, botId: BOT, config, release }),
    async close() {
      stopping.abort();
      await intake.settled();
      await keeper.keep().catch((error: unknown) => log.debug({ err: error }, "the place was not stored"));
    },
  };
}
