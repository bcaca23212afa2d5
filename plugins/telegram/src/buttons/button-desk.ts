/**
 * What becomes of a press: a command in the name of whoever pressed, stored like any message; and the word that their app
 * waits for. The word is a courtesy: where it comes too late, or the process dies before it, nothing is lost.
 */
import type { Address, ChannelContext, Clock, InboundMessage, Log, ReceiveOutcome } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import type { FaultReport } from "../fault-report.ts";
import { type ButtonKey, type ButtonRefusal, parseButtonData } from "./button-data.ts";
import type { ButtonPress } from "./button-press.ts";

type Receive = ChannelContext<unknown>["receive"];

export interface ButtonDesk {
  /** The command that a press gives; `undefined` for one that gives none, which is answered at once. */
  press(press: ButtonPress): InboundMessage | undefined;
  /** Instead of the context's: whoever pressed is told what became of it. */
  readonly receive: Receive;
}

export interface ButtonDeskOptions {
  readonly bot: Bot;
  readonly key: ButtonKey;
  readonly receive: Receive;
  /** Where in that chat the turn is still at work which a growing answer shows. */
  readonly findLive: (draftId: number, address: Address) => Address | undefined;
  /** Milliseconds since the epoch, by the platform's clock as near as can be told. */
  readonly now: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly reportFault: FaultReport;
}

/** Nobody looks longer at a button that does not answer. */
const PATIENCE_MS = 1_500;
/** The words fit into the 200 characters of "answerCallbackQuery", core.telegram.org/bots/api. */
const TAKEN = "On it.";
const LATE = "I have it; the answer takes a moment.";
const REFUSED = "You cannot do that here: this bot answers only those whom its owner lets in.";
const ENDED = "That answer has ended already.";
const OUT_OF_REACH = "This message is too old for its button; type the command instead.";
const REFUSALS: Readonly<Record<ButtonRefusal, string>> = {
  forged: "This button is none of mine, or older than my present token.",
  expired: "This button is too old; type the command instead.",
  not_yours: "This button is for the one who asked.",
};

export function createButtonDesk(options: ButtonDeskOptions): ButtonDesk {
  const { bot, key, receive, findLive, now, clock, log, reportFault } = options;
  /** By the id of the message that a press became. */
  const waiting = new Map<string, (outcome: ReceiveOutcome) => void>();

  function answer(queryId: string, text: string): void {
    bot.api.answerCallbackQuery(queryId, { text }).catch((error: unknown) => {
      log.debug({ err: reportFault("Answering a press of a button", error) }, "a press of a button was not answered");
    });
  }

  /** Once, in time. */
  function awaitOutcome(messageId: string, queryId: string): void {
    const cancel = clock.schedule(PATIENCE_MS, () => tell(LATE));
    waiting.set(messageId, (outcome) => tell(outcome === "refused" ? REFUSED : TAKEN));
    function tell(text: string): void {
      cancel();
      waiting.delete(messageId);
      answer(queryId, text);
    }
  }

  return {
    press({ queryId, data, sender, isPrivate, address }) {
      const pressed = parseButtonData(data, { key, userId: sender.id, now: now() });
      if (pressed.kind === "refused" || address === undefined) {
        answer(queryId, pressed.kind === "refused" ? REFUSALS[pressed.why] : OUT_OF_REACH);
        return undefined;
      }
      const { action, runId } = pressed.order;
      const place = action === "stop" ? findLive(Number(runId), address) : address;
      // A command would stop the next one.
      if (place === undefined) {
        answer(queryId, ENDED);
        return undefined;
      }
      const id = `press-${queryId}`;
      awaitOutcome(id, queryId);
      return {
        id,
        address: place,
        sender,
        text: action === "stop" ? "/stop" : `/${action} ${runId}`,
        at: now(),
        ...(!isPrivate && { addressed: true }),
      };
    },
    async receive(messages, more) {
      const outcomes = await receive(messages, more);
      for (const [at, { id }] of messages.entries()) waiting.get(id)?.(outcomes[at] ?? "refused");
      return outcomes;
    },
  };
}
