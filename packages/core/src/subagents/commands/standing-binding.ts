import type { BindingRow } from "@banyan/plugin-sdk/store";
import { buildBindingTimerId } from "../../bindings/binding-timer.ts";
import type { CommandContext } from "../../commands/command.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** What binds the place of a command to the session that it runs in; `undefined` where it is its own conversation. */
export async function findStandingBinding(
  { record, address }: Pick<CommandContext, "record" | "address">,
  { store }: Pick<SubagentParts, "store">,
): Promise<BindingRow | undefined> {
  const bindings = await store.read.bindings({ sessionKey: record.key });
  return bindings.find((binding) => binding.address === address);
}

/** The timers that may stand for a binding. */
export function listBindingTimerIds(binding: BindingRow | undefined): readonly string[] {
  if (binding === undefined) return [];
  return [buildBindingTimerId("binding-idle", binding.id), buildBindingTimerId("binding-age", binding.id)];
}
