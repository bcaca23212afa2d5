import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { EmulatorError } from "./ports/error.ts";

const readySchema = z.object({ url: z.string() });

export interface SpawnedModel {
  /** What a client's base URL is. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a model server that says what it was told in a process of its own, which ends with this one or with close(). */
export async function spawnModelEmulator(options: { readonly port?: number } = {}): Promise<SpawnedModel> {
  const program = import.meta.filename.replace(/spawn-model-emulator(\.[jt]s)$/, "bin$1");
  const child = spawn(process.execPath, [program, `--port=${options.port ?? 0}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), exited.then(() => undefined)]);
  if (first === undefined)
    throw new EmulatorError("unreachable", `starting ${program}: it ended before it was ready; see its error output`);
  const { url } = readySchema.parse(JSON.parse(String(first[0])));
  return {
    url,
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
