import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { postMessage } from "./post-message.ts";

/** As many as the host takes at once, with room for what is no call. */
const MOST_UNDER_WAY = 64;

/** Carries each line to the door and each answer back, until the input ends. Resolves with the exit code. */
export async function runBridge(
  input: Readable,
  output: Writable,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { BANYAN_TOOLS_URL: url, BANYAN_TOOLS_BEARER: bearer } = env;
  if (url === undefined || bearer === undefined) {
    process.stderr.write(
      "The bridge was started: BANYAN_TOOLS_URL or BANYAN_TOOLS_BEARER is missing; let Banyan start it\n",
    );
    return 2;
  }
  let connection: string | undefined;
  const underWay = new Set<Promise<void>>();
  const carry = async (line: string) => {
    const answer = await postMessage(line, { url, bearer, connection });
    connection = answer.connection ?? connection;
    for (const message of answer.messages) output.write(`${message}\n`);
  };
  for await (const line of createInterface({ input })) {
    if (line.trim() === "") continue;
    const carrying = carry(line).finally(() => underWay.delete(carrying));
    underWay.add(carrying);
    // The hello names the connection that all others need.
    if (connection === undefined) await carrying;
    if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
  }
  await Promise.allSettled(underWay);
  return 0;
}
