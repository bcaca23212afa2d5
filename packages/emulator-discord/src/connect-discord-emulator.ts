import { CONTROL_PATH } from "./control/control-api.ts";
import { createRemoteControl } from "./control/remote-control.ts";
import { DiscordEmulator } from "./discord-emulator.ts";
import { API_PATH } from "./rest/rest-api.ts";

/** Holds an emulator that runs in another process; `url` is the root of its API, as `DiscordEmulator.url`. */
export function connectDiscordEmulator(url: string): DiscordEmulator {
  const control = createRemoteControl(url.slice(0, -API_PATH.length) + CONTROL_PATH);
  return new DiscordEmulator({ url, control, close: () => Promise.resolve() });
}
