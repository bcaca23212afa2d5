/** Where the people of a tree's story are. What stands there is the witness, whatever processes lived meanwhile. */
import assert from "node:assert/strict";
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
  /** Presses the newest button of that label, whoever lives. Resolves with whether there is one. */
  presses?(label: string): Promise<boolean>;
  /** The chat gets another id, as soon as what the place waits for is under way. */
  moves?(): Promise<void>;
  /** Everything that people were told, in the order of each chat. */
  texts(lives: GatewayLives): Promise<readonly string[]>;
  /** What else a death may leave there. */
  readonly traces?: TraceRules;
  /** A call of this kind is taken by the platform, and its answer never comes; `door` where it is another one's turn. */
  lose?(call: TreeCall, door?: TreeDoor): Promise<LostCall>;
  /** Puts the platform's clock forward. */
  passTime?(ms: number): Promise<void>;
  /** What is wrong with the place itself at the end. */
  findFault?(lives: GatewayLives): Promise<string | undefined> | string | undefined;
  close(): Promise<void>;
}

/** What a platform is asked for. Where none has threads there is only `send`. */
export type TreeCall = "send" | "edit" | "open" | "archive" | "rename";

/** Where a call stands while the process dies. */
export interface TreeDoor {
  /** Before its effect, or between effect and answer. */
  readonly at: "request" | "answer";
  /** Calls of the kind that pass before. */
  readonly skip: number;
  /** What becomes of the call after the death. */
  readonly end: "cut" | "release";
}

/** Messages that nobody waits for, and that hold nothing of a result. */
export interface TraceRules {
  /** No more of them than processes have died. */
  readonly leftover: RegExp;
  /** Each at most once, with no mark. */
  readonly call: RegExp;
}

export interface LostCall {
  /** Resolves when the platform has taken it. */
  taken(): Promise<void>;
  /** Nobody waits for the answer any more. */
  end(): Promise<void>;
}

const TOKEN = "a-token-of-the-web-chat-of-a-test";

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
