import { type Completion, isAddress } from "@banyan/plugin-sdk";
import type { NewDelivery, RunRow } from "@banyan/store";
import { buildAnnouncementComposer } from "./announcement-rows.ts";
import { formatCompletionMessage } from "./completion-message.ts";
import { findOwnAnchor } from "./compose-run-end.ts";
import { parseRunBody } from "./run-body.ts";
import type { RunParts } from "./run-parts.ts";

/** The host tells of one run, at the place that was decided when it ended. */
export function composeHostRows(
  run: RunRow,
  sessionKey: string,
  parts: Pick<RunParts, "ports" | "getChannel">,
): readonly NewDelivery[] {
  const address = run.target ?? run.route;
  if (!isAddress(address)) throw new TypeError(`A run was announced: ${run.runId} has no place, but ${address}`);
  const completion = readCompletion(run);
  const text = formatCompletionMessage(completion);
  const anchor = findOwnAnchor(run, parseRunBody(run.body), address);
  return buildAnnouncementComposer(parts)({ address, text, completions: [completion], sessionKey, ...anchor });
}

/** Of a run that has ended. */
export function readCompletion({ runId, result }: RunRow): Completion {
  if (result === undefined) throw new TypeError(`A run was announced: ${runId} has no result`);
  const completion: Completion = JSON.parse(result);
  return completion;
}
