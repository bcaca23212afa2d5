import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { createRemoteControl } from "./control/remote-control.ts";
import type { DiscordEmulatorOptions } from "./create-discord-emulator.ts";
import { DiscordEmulator } from "./discord-emulator.ts";
import { EmulatorError } from "./ports/error.ts";

const readySchema = z.object({ url: z.string(), controlUrl: z.string() });

/** Starts an emulator in a process of its own, which ends with this one or with close(). */
export async function spawnDiscordEmulator(
  options: Omit<DiscordEmulatorOptions, "clock"> = {},
): Promise<DiscordEmulator> {
  const program = import.meta.filename.replace(/spawn-discord-emulator(\.[jt]s)$/, "bin$1");
  const flags = [
    ...(options.port === undefined ? [] : [`--port=${options.port}`]),
    ...(options.record === undefined ? [] : [`--record=${options.record}`]),
    ...(options.limits === undefined ? [] : [`--limits=${options.limits}`]),
    ...(options.heartbeatIntervalMs === undefined ? [] : [`--heartbeat-interval-ms=${options.heartbeatIntervalMs}`]),
    ...(options.historyNonces === true ? ["--history-nonces"] : []),
    ...(options.channelNonces === true ? ["--channel-nonces"] : []),
  ];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), exited.then(() => undefined)]);
  if (first === undefined) {
    throw new EmulatorError("unreachable", `starting ${program}: it ended before it was ready; see its error output`);
  }
  const { url, controlUrl } = readySchema.parse(JSON.parse(String(first[0])));
  return new DiscordEmulator({
    url,
    control: createRemoteControl(controlUrl),
    close: async () => {
      child.stdin.end();
      await exited;
    },
  });
}
