import { join, resolve } from "node:path";
import { type OpenGateway, type OpenGatewayOptions, openGateway } from "../gateway/open-gateway.ts";
import type { Desk } from "./desk.ts";
import { createDevRoutes } from "./dev-routes.ts";
import { closeDesks, openDesks } from "./open-desks.ts";

export interface OpenDev extends OpenGateway {
  /** The page with the emulated chats beside the web chat, with the operator's token. */
  readonly pageUrl: string;
  /** Stops the gateway, then the emulators. */
  stop(): Promise<void>;
}

/**
 * Opens a gateway whose Telegram and Discord are emulators in this process, open to everybody there. The agents and all
 * else are the configuration's; the state is kept in a folder of its own, so that no real conversation is touched.
 */
export async function openDev(options: OpenGatewayOptions): Promise<OpenDev> {
  const { cwd, env } = options;
  const stateDir = join(resolve(cwd, env.BANYAN_STATE_DIR ?? ".banyan"), "dev");
  const desks = await openDesks();
  try {
    const open = await openGateway({
      ...options,
      env: { BANYAN_LOG_LEVEL: "warn", ...env, BANYAN_STATE_DIR: stateDir },
      amendConfig: (input) => emulateChannels(input, desks),
      isRehearsal: true,
      mountPages: createDevRoutes(desks),
    });
    return {
      ...open,
      pageUrl: `${open.gateway.url}/dev?token=${open.token}`,
      async stop() {
        await open.gateway.stop();
        await closeDesks(desks);
      },
    };
  } catch (error) {
    await closeDesks(desks);
    throw error;
  }
}

/** What stands in the file for these channels is left out, a real token above all. */
function emulateChannels(input: unknown, desks: readonly Desk[]): unknown {
  const file = readObject(input);
  const emulated = desks.map(({ channel, account }) => [channel, { accounts: { default: account } }] as const);
  return {
    ...file,
    session: { ...readObject(file.session), acceptSharedDm: true },
    channels: { ...readObject(file.channels), ...Object.fromEntries(emulated) },
  };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
