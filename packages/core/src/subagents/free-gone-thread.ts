import { type Address, formatAddress, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { BindingRow } from "@banyan/plugin-sdk/store";
import { listBindingTimerIds } from "../bindings/binding-timer.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { parseRunRow } from "../runs/run-record.ts";
import { boldRun } from "./commands/run-rows.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/** A thread that was opened again and shut again is told of again. */
const DAY_MS = 24 * 60 * 60_000;

/** What people are told. A look does not know the reason that a plugin finds out, so each is told of by itself. */
export interface ThreadNotice {
  readonly text: string;
  readonly by: "look" | "plugin";
  /** `chat`: that the thread is in. `requester`: where the bound sub-agent was asked for, since that chat may be a forum. */
  readonly to: "chat" | "requester";
}

/**
 * The platform says that a thread is gone: what people may write at its place, should it ever come back, goes its normal
 * way. Rejects where that could not be written.
 */
export async function freeThread(address: string, parts: SubagentParts, notice?: ThreadNotice): Promise<void> {
  const { store, ports, signal } = parts;
  const { bindings } = await store.read.routes();
  const binding = bindings.find((one) => one.address === address);
  // Before: where the process dies in between the plugin tells it again, and it is said once.
  if (notice !== undefined && isAddress(address)) await sayOutside(address, notice, { binding, parts });
  if (binding === undefined) return;
  const { id: bindingId } = binding;
  const unbind = { address, binding: null, bindingId, timers: [], endTimers: listBindingTimerIds(bindingId) };
  const { status } = await commitPatiently(store, { step: "bind", ...unbind }, ports, signal);
  await parts.refreshRoutes();
  if (status === "done")
    ports.log.info({ address, session: binding.sessionKey }, "a thread is gone, and its sub-agent with it from there");
}

async function sayOutside(thread: Address, notice: ThreadNotice, { binding, parts }: SayingOutside): Promise<void> {
  const { store, ports, signal, outbox } = parts;
  const told = notice.to === "chat" ? buildNotice(thread, notice) : await findRequester(thread, notice, binding, parts);
  if (told === undefined) {
    ports.log.warn({ address: thread }, `nobody could be told of a thread: ${notice.text}`);
    return;
  }
  const { address, text } = told;
  const { text: limit, policy } = parts.getChannel(address);
  const deliveries = composeDeliveries({
    // Whatever dies on the way, and however often it is told.
    deliveryId: `thread-gone|${thread}|${Math.floor(ports.clock.now() / DAY_MS)}|${notice.by}`,
    kind: "notice",
    address,
    text: ports.scrub(text),
    limit,
    policy,
  });
  const step = { step: "set_timers", arm: [], end: [], deliveries } as const;
  await commitPatiently(store, step, ports, signal);
  outbox.enqueue(deliveries);
}

interface SayingOutside {
  readonly binding: BindingRow | undefined;
  readonly parts: SubagentParts;
}

interface Told {
  readonly address: Address;
  readonly text: string;
}

function buildNotice(thread: Address, { text }: ThreadNotice): Told {
  const { thread: _, ...chat } = parseAddress(thread);
  return { address: formatAddress(chat), text };
}

/** `undefined` where no sub-agent is bound, or it was asked for in no chat or in the thread itself. */
async function findRequester(
  thread: Address,
  { text, by }: ThreadNotice,
  binding: BindingRow | undefined,
  { store }: SubagentParts,
): Promise<Told | undefined> {
  if (binding === undefined) return undefined;
  const [run] = await store.read.runs({ childSessionKey: binding.sessionKey, newest: true, limit: 1 });
  if (run === undefined || !isAddress(run.route) || run.route === thread) return undefined;
  // A plugin does not know which sub-agent it was.
  return { address: run.route, text: by === "look" ? text : `${boldRun(parseRunRow(run))}: ${text}` };
}

/** The same, found out by a message that was sent there. Never rejects: the next message finds it out again. */
export async function freeGoneThread(address: string, parts: SubagentParts): Promise<void> {
  try {
    await freeThread(address, parts);
  } catch (error) {
    parts.ports.log.error({ err: error, address }, "a thread that is gone is still bound");
  }
}
