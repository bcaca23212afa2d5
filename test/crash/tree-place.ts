/** Where the people of a tree's story are. What stands there is the witness, whatever processes lived meanwhile. */
import assert from "node:assert/strict";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { WebPerson } from "../stage/web-person.ts";
import type { GatewayLives } from "./gateway-lives.ts";

export interface TreePlace {
  readonly env: Readonly<Record<string, string>>;
  /** What stands in the configuration beside the agent's own part. */
  readonly config: object;
  /** Further files of the folder, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether a message that may be there already is sent again, and says so. */
  readonly marksRepeats: boolean;
  /** Resolves when it is said for good; waits for a gateway where it takes one. `where`: a thread. */
  says(text: string, lives: GatewayLives, where?: string): Promise<void>;
  /** Everything that people were told, in the order of each chat. */
  texts(lives: GatewayLives): Promise<readonly string[]>;
  /** The next call of this kind is taken by the platform, and its answer never comes. */
  lose?(call: TreeCall): Promise<LostCall>;
  /** Puts the platform's clock forward. */
  passTime?(ms: number): Promise<void>;
  /** What is wrong with the place itself at the end. */
  findFault?(): Promise<string | undefined> | string | undefined;
  close(): Promise<void>;
}

/** What a platform is asked for. Where none has threads there is only `send`. */
export type TreeCall = "send" | "open" | "archive" | "rename";

export interface LostCall {
  /** Resolves when the platform has taken it. */
  taken(): Promise<void>;
  /** Nobody waits for the answer any more. */
  end(): Promise<void>;
}

const TOKEN = "a-token-of-the-web-chat-of-a-test";

export async function openTelegramPlace(): Promise<TreePlace> {
  const telegram = await createTelegramEmulator({});
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return {
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" },
    config: {},
    files: {},
    marksRepeats: true,
    says: async (text) => void (await telegram.sayAll([{ user: ada, text }])),
    texts: async () => (await ada.messages()).map(({ text }) => text),
    async lose() {
      const gate = await telegram.faults.hold({ method: "sendMessage", at: "answer", skip: 1, times: 1 });
      return { taken: () => gate.reached(1), end: () => gate.cut() };
    },
    close: () => telegram.close(),
  };
}

/** A page in the browser: it sends what was not taken again, under the same id, and asks for what it missed. */
export async function openWebPlace(): Promise<TreePlace> {
  let said = 0;
  const personAt = ({ gateway: { url } }: GatewayLives) => new WebPerson("ada", () => ({ url, token: TOKEN }));
  return {
    env: {},
    config: { server: { port: 0, token: TOKEN } },
    files: {},
    marksRepeats: false,
    async says(text, lives) {
      said += 1;
      const id = `said-${said}`;
      await whileAlive(lives, () => personAt(lives).says(text, id));
    },
    async texts(lives) {
      const messages = await whileAlive(lives, () => personAt(lives).transcript());
      return messages.filter(({ role }) => role === "assistant").map(({ text }) => text);
    },
    close: async () => undefined,
  };
}

/** A call that a death cuts off is made again to the next process. */
async function whileAlive<T>(lives: GatewayLives, call: () => Promise<T>): Promise<T> {
  for (;;) {
    await lives.alive();
    const { gateway } = lives;
    try {
      return await call();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      // Nothing but its death cuts it off.
      await gateway.ended();
    }
  }
}
