import { CONTROL_PATH } from "./control/control-api.ts";
import { createRemoteControl } from "./control/remote-control.ts";
import { TelegramEmulator } from "./telegram-emulator.ts";

/** Holds an emulator that runs in another process; `url` is the root of its Bot API. */
export function connectTelegramEmulator(url: string): TelegramEmulator {
  const control = createRemoteControl(`${url}${CONTROL_PATH}`);
  return new TelegramEmulator({ url, control, close: () => Promise.resolve() });
}
