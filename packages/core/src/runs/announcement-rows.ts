import type { Completion } from "@banyan/plugin-sdk";
import { type Composition, composeDeliveries } from "../outbound/compose-deliveries.ts";
import { formatCall, formatComing } from "./completion-message.ts";
import type { ComposeAnnouncement } from "./compose-run-end.ts";
import type { RunParts } from "./run-parts.ts";

/** How the rows of completion messages are made: split for their channel, and knowing what they tell of. */
export function buildAnnouncementComposer({
  ports,
  getChannel,
}: Pick<RunParts, "ports" | "getChannel">): ComposeAnnouncement {
  return ({ address, text, completions, sessionKey, turnId, undeliverable, claims }) => {
    const channel = getChannel(address);
    const newest = completions.at(-1);
    if (newest === undefined) throw new Error("A completion message was composed: it names no run");
    const { runId, childSessionKey } = newest;
    const alsoRunIds = completions.slice(0, -1).map((completion) => completion.runId);
    const deliveryId = ports.createId();
    const policy = channel.completionPolicy;
    const rows = composeDeliveries({
      deliveryId,
      kind: "completion",
      address,
      text: ports.scrub(text),
      limit: channel.text,
      policy,
      sessionKey,
      ...(turnId === undefined ? {} : { turnId }),
      ...(policy === "anchor" ? { anchor: buildAnchor(newest, claims, ports) } : {}),
      announcement: { runId, childSessionKey, completion: newest, alsoRunIds },
    });
    if (undeliverable !== undefined) return rows.map((row) => ({ ...row, undeliverable }));
    const last = policy === "anchor" && claims !== undefined ? rows.at(-1) : undefined;
    if (last === undefined) return rows;
    // An edit calls nobody's attention: a line behind it does, once or not at all, and holds nothing of the result.
    const call = composeDeliveries({
      deliveryId: `${deliveryId}-call`,
      kind: "status",
      address,
      text: ports.scrub(formatCall(completions)),
      limit: channel.text,
      policy: "at-most-once",
      sessionKey,
      behind: last.id,
    });
    return [...rows, ...call];
  };
}

function buildAnchor(
  completion: Completion,
  claims: string | undefined,
  { scrub }: Pick<RunParts["ports"], "scrub">,
): NonNullable<Composition["anchor"]> {
  return {
    ...(claims === undefined ? {} : { claims }),
    placeholder: (part, of) => (part === 0 ? scrub(formatComing(completion)) : `⏳ ${part + 1} of ${of}`),
  };
}
