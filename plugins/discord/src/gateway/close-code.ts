/** Why Discord closes a connection for good. Discord documentation, "Opcodes and Status Codes" (gateway close codes). */
import type { ChannelErrorClass } from "@banyan/plugin-sdk";

export interface FinalClose {
  /** The number of the fault in the project's fault table. */
  readonly row: string;
  readonly class: ChannelErrorClass;
  readonly what: string;
  readonly advice: string;
}

const FINAL_CLOSES: ReadonlyMap<number, FinalClose> = new Map([
  [
    4004,
    {
      row: "D41",
      class: "unauthorized",
      what: "the token is refused (4004)",
      advice: "take the present one from the Developer Portal, Bot → Reset Token",
    },
  ],
  [
    4010,
    { row: "D44", class: "permanent", what: "the shard is none (4010)", advice: "start again; if it stays, report it" },
  ],
  [
    4011,
    {
      row: "D44",
      class: "permanent",
      what: "more shards are needed (4011)",
      advice: "start again: Discord is asked again how many",
    },
  ],
  [4012, { row: "D44", class: "permanent", what: "version 10 of the gateway is gone (4012)", advice: "update Banyan" }],
  [
    4013,
    { row: "D42", class: "permanent", what: "the intents are invalid (4013)", advice: "update Banyan, or report it" },
  ],
  [
    4014,
    {
      row: "D42",
      class: "permanent",
      what: "an intent is not allowed (4014)",
      advice: "switch it on: Developer Portal → Bot → Message Content Intent",
    },
  ],
]);

/** `undefined` where the connection may be tried again. */
export function findFinalClose(code: number): FinalClose | undefined {
  return FINAL_CLOSES.get(code);
}
