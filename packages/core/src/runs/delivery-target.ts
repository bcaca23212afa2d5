import { type Address, type DeliveryTarget, isAddress, parseAddress } from "@banyan/plugin-sdk";
import { formatReceivedValue } from "../sessions/keys/received-value.ts";
import type { RunParts } from "./run-parts.ts";

/** What taps have said of ends that are decided again where something moved meanwhile; by what they were asked. */
export type TargetAnswers = Map<string, unknown>;

/** Where the chat is told: the hook has the last word, and is asked once for each end. */
export async function askDeliveryTarget(
  event: DeliveryTarget,
  answers: TargetAnswers,
  { hooks, ports }: Pick<RunParts, "hooks" | "ports">,
): Promise<Address> {
  const { runId, target } = event;
  const question = formatQuestion(event);
  if (!answers.has(question)) answers.set(question, await hooks.subagent_delivery_target.call(event));
  const redirected = answers.get(question);
  if (redirected === undefined) return target;
  if (isPlace(redirected)) return redirected;
  const received = formatReceivedValue(redirected);
  ports.log.error({ runId, received }, "a tap on subagent_delivery_target answered no address");
  return target;
}

/** An end is the same one a moment later; with another outcome, result or place it is not. */
function formatQuestion({ runId, requesterSessionKey, target, completion }: DeliveryTarget): string {
  const { outcome, result, error = "" } = completion;
  return JSON.stringify([runId, requesterSessionKey, target, outcome, result, error]);
}

/** A plugin may be written without types: what it answers decides where a run's end is told, and must not hold it up. */
function isPlace(given: unknown): given is Address {
  if (typeof given !== "string" || !isAddress(given)) return false;
  try {
    parseAddress(given);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
