import { join, resolve } from "node:path";
import { type OpenGateway, type OpenGatewayOptions, openGateway } from "../gateway/open-gateway.ts";
import { createDevRoutes } from "./dev-routes.ts";
import { DEV_TOKEN, TelegramDesk } from "./telegram-desk.ts";

export interface OpenDev extends OpenGateway {
  /** The page with the emulated chat beside the web chat, with the operator's token. */
  readonly pageUrl: string;
  /** Stops the gateway, then the emulator. */
  stop(): Promise<void>;
}

/**
 * Opens a gateway whose Telegram is an emulator in this process, open to everybody there. The agents and all else are
 * the configuration's; the state is kept in a folder of its own, so that no real conversation is touched.
 */
export async function openDev(options: OpenGatewayOptions): Promise<OpenDev> {
  const desk = await TelegramDesk.open();
  const { cwd, env } = options;
  const stateDir = join(resolve(cwd, env.BANYAN_STATE_DIR ?? ".banyan"), "dev");
  try {
    const open = await openGateway({
      ...options,
      env: { BANYAN_LOG_LEVEL: "warn", ...env, BANYAN_STATE_DIR: stateDir },
      amendConfig: (input) => emulateTelegram(input, desk.url),
      mountPages: createDevRoutes(desk),
    });
    return {
      ...open,
      pageUrl: `${open.gateway.url}/dev?token=${open.token}`,
      async stop() {
        await open.gateway.stop();
        await desk.close();
      },
    };
  } catch (error) {
    await desk.close();
    throw error;
  }
}

/** What stands in the file for Telegram is left out, a real token above all. */
function emulateTelegram(input: unknown, url: string): unknown {
  const file = readObject(input);
  const account = { token: DEV_TOKEN, apiBaseUrl: url, dmPolicy: "open", groups: { policy: "open" } };
  return {
    ...file,
    session: { ...readObject(file.session), acceptSharedDm: true },
    channels: { ...readObject(file.channels), telegram: { accounts: { default: account } } },
  };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
