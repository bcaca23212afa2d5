import type { Command } from "./commands/command.ts";
import { getAnswerMs } from "./config/shapes/limits-config.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { createAnswerCommand } from "./inbound/commands/answer.ts";
import { buildLinkBook, findLink } from "./inbound/links.ts";
import type { RouteState } from "./inbound/route-state.ts";
import { QuestionDesk, type QuestionDeskParts } from "./questions/question-desk.ts";

export interface GatewayQuestionParts extends Omit<QuestionDeskParts, "answerMs" | "wakeTimers"> {
  readonly options: Pick<GatewayOptions, "limits" | "identityLinks">;
  readonly routeState: RouteState;
  /** Absent: some may be due now. */
  wakeTimers(dueInMs?: number): void;
}

/** What agents ask people, and the way that the answers come in. */
export interface GatewayQuestions {
  readonly desk: QuestionDesk;
  readonly command: Command;
}

export function buildQuestions({ options, routeState, ...parts }: GatewayQuestionParts): GatewayQuestions {
  const desk = new QuestionDesk({ ...parts, answerMs: getAnswerMs(options.limits) });
  const command = createAnswerCommand({
    questions: desk,
    findPerson: (peer) => findLink(buildLinkBook(options.identityLinks, routeState.view.snapshot.links), peer)?.person,
    wakeTimers: () => parts.wakeTimers(),
  });
  return { desk, command };
}
