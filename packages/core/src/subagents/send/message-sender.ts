import type { Address } from "@banyan/plugin-sdk";
import type { ToolContext } from "../../tools/tool.ts";

/** How many messages from agent to agent may lead to one another without a person's word between them. */
export const MOST_HOPS = 5;

/** The call that sends a message to another session. */
export interface MessageSender {
  readonly sessionKey: string;
  readonly agentId: string;
  /** Where its turn speaks. */
  readonly address: Address;
  /** With the ordinal the key by which a repeated call is known. */
  readonly itemSeq: number;
  /** The turn's claim of its lane. */
  readonly epoch: number;
  readonly ordinal: number;
  /** The run that the turn works for. */
  readonly runId?: string;
  /** Its turn speaks to no chat. */
  readonly isQuiet: boolean;
  /** With this message. */
  readonly hops: number;
}

export function buildMessageSender({ event, caller }: Pick<ToolContext, "event" | "caller">): MessageSender {
  const { sessionKey, agentId, call } = event;
  const { address, itemSeq, epoch, runId, isQuiet, hops = 0 } = caller;
  return {
    sessionKey,
    agentId,
    address,
    itemSeq,
    epoch,
    ordinal: call.ordinal,
    ...(runId === undefined ? {} : { runId }),
    isQuiet,
    hops: hops + 1,
  };
}

/** The same call of a turn never sends twice, however often the turn runs. */
export function buildSendDedupe({ itemSeq, ordinal }: Pick<MessageSender, "itemSeq" | "ordinal">): string {
  return `send|${itemSeq}|${ordinal}`;
}
