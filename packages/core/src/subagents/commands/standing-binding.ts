import type { BindingRow } from "@banyan/store";
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
