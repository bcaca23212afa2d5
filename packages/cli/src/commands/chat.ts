import { createInterface } from "node:readline";
import { type ChatGateway, openChatGateway } from "../chat/chat-gateway.ts";
import { chatThroughPipe } from "../chat/chat-through-pipe.ts";
import type { GlobalOptions } from "../global-options.ts";

/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export interface ChatOptions extends GlobalOptions {
  /** Seconds. */
  readonly patience: number;
}

/** `banyan chat`: the conversation of the web chat in the terminal; with words or a pipe, without anybody at the keys. */
export async function chat(words: readonly string[], options: ChatOptions): Promise<void> {
  const gateway = await openChatGateway(options.config);
  const interrupted = new Promise<"interrupted">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve("interrupted"));
  });
  let end: "interrupted" | undefined;
  try {
    end = (await Promise.race([talk(words, options, gateway), interrupted])) ?? undefined;
  } finally {
    await gateway.close();
  }
  // Whatever still reads or waits has nobody left to tell.
  if (end === "interrupted") process.exit(INTERRUPTED);
}

async function talk(words: readonly string[], { patience }: ChatOptions, gateway: ChatGateway): Promise<void> {
  if (words.length === 0 && process.stdin.isTTY && process.stdout.isTTY) {
    const { chatAtTerminal } = await import("../chat/chat-at-terminal.ts");
    return chatAtTerminal(gateway, { input: process.stdin, output: process.stdout });
  }
  return chatThroughPipe(gateway, {
    lines: words.length > 0 ? sayOnce(words.join(" ")) : readLines(process.stdin),
    write: (answer) => process.stdout.write(`${answer}\n`),
    patienceMs: patience * 1_000,
  });
}

async function* sayOnce(text: string): AsyncGenerator<string> {
  yield text;
}

/** Reads only once somebody asks for the first line: what a readline interface reads before that is lost. */
async function* readLines(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  yield* createInterface({ input });
}
