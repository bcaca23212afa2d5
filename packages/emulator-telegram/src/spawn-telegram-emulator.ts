import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { CONTROL_PATH } from "./control/control-api.ts";
import { createRemoteControl } from "./control/remote-control.ts";
import type { TelegramEmulatorOptions } from "./create-telegram-emulator.ts";
import { EmulatorError } from "./ports/error.ts";
import { TelegramEmulator } from "./telegram-emulator.ts";

const readySchema = z.object({ url: z.string(), controlUrl: z.string() });

/** Starts an emulator in a process of its own, which ends with this one or with close(). */
export async function spawnTelegramEmulator(
  options: Pick<TelegramEmulatorOptions, "port" | "record" | "strictPacing" | "local"> = {},
): Promise<TelegramEmulator> {
  const program = import.meta.filename.replace(/spawn-telegram-emulator(\.[jt]s)$/, "bin$1");
  const flags = [
    ...(options.port === undefined ? [] : [`--port=${options.port}`]),
    ...(options.record === undefined ? [] : [`--record=${options.record}`]),
    ...(options.strictPacing === true ? ["--strict-pacing"] : []),
    ...(options.local === true ? ["--local"] : []),
  ];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), exited.then(() => undefined)]);
  if (first === undefined) {
    throw new EmulatorError("unreachable", `starting ${program}: it ended before it was ready; see its error output`);
  }
  const { url } = readySchema.parse(JSON.parse(String(first[0])));
  return new TelegramEmulator({
    url,
    control: createRemoteControl(`${url}${CONTROL_PATH}`),
    close: async () => {
      child.stdin.end();
      await exited;
    },
  });
}
