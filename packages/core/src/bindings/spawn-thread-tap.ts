import { ChannelError, type Log, type SpawningAnswer, type SpawningRun, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { ThreadRules } from "../config/shapes/thread-rules.ts";
import { HOST_STAGE } from "../hooks/host-stage.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import { pause } from "../ports/pause.ts";
import type { Ports } from "../ports/ports.ts";
import { formatHello, nameThread } from "./thread-name.ts";

/** A platform may want several calls for a thread, or ask to wait a little; the agent that spawns waits as well. */
const OPEN_TIMEOUT_MS = 30_000;
/** A server error or a reset is mostly over in a moment. Before each further try, all within the time limit. */
const RETRY_PAUSES_MS = [500, 2_000] as const;

export interface ThreadedAccount {
  readonly channel: string;
  readonly account: string;
  readonly threads: ThreadsAbility;
  readonly rules: ThreadRules;
  readonly ports: Pick<Ports, "scrub" | "faultPoint" | "clock" | "log">;
}

/** The host's tap on `subagent_spawning`: the account's connection opens the thread that a spawn there asks for. */
export function tapSpawnThread(hooks: Pick<CallableHooks, "subagent_spawning">, parts: ThreadedAccount): () => void {
  const { channel, account } = parts;
  const options = { name: `${channel}/${account}`, stage: HOST_STAGE, timeoutMs: OPEN_TIMEOUT_MS };
  return hooks.subagent_spawning.tapPromise(options, async (run, context) => {
    const { threadRequested, bindingId, requester } = run;
    if (!threadRequested || requester.channel !== channel || requester.accountId !== account) return undefined;
    if (bindingId === undefined) return undefined;
    const answer = await openThread(run, bindingId, parts, context.signal);
    // Nobody waits for it any more: what was asked for is refused, and its reservation undone.
    if (context.signal.aborted) await takeBack(run, bindingId, parts.threads, context.log);
    return answer;
  });
}

async function openThread(
  run: SpawningRun,
  bindingId: string,
  { channel, account, threads, rules, ports }: ThreadedAccount,
  signal: AbortSignal,
): Promise<SpawningAnswer> {
  if (!rules.isEnabled) {
    const error = `A thread was asked for on ${channel}/${account}: threads are switched off there (threads.enabled: false); spawn without a thread, or let the operator switch them on`;
    return { status: "error", error };
  }
  const name = ports.scrub(nameThread(run, rules.nameFrom));
  try {
    const parent = run.requester.address;
    ports.faultPoint("thread.before");
    const request = {
      bindingId,
      parent,
      name,
      hello: formatHello(name),
      ...(run.askedBy !== undefined && { askedBy: run.askedBy }),
    };
    const { address } = await openPatiently(() => threads.open(request), ports, signal);
    ports.faultPoint("thread.after");
    return { status: "ok", threadBindingReady: true, binding: { id: bindingId, address } };
  } catch (error) {
    const why = ports.scrub(error instanceof Error ? error.message : String(error));
    return {
      status: "error",
      error: `A thread was asked for on ${channel}/${account}: it could not be opened: ${why}; try again later, or spawn without a thread`,
    };
  }
}

/** Tries again what may pass: a thread is opened once for its binding's id, however often it is asked for. */
async function openPatiently<Opened>(
  open: () => Promise<Opened>,
  { clock, log }: Pick<Ports, "clock" | "log">,
  signal: AbortSignal,
): Promise<Opened> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await open();
    } catch (error) {
      if (!mayPass(error) || signal.aborted) throw error;
      log.info({ err: error, retryInMs: pauseMs }, "a thread was not opened; it is tried again");
      await pause(clock, pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
  return open();
}

function mayPass(error: unknown): boolean {
  return error instanceof ChannelError && (error.class === "definite" || error.class === "ambiguous");
}

/** Never rejects. Also where the opening failed: that may have had an effect. */
async function takeBack(run: SpawningRun, bindingId: string, threads: ThreadsAbility, log: Log): Promise<void> {
  try {
    await threads.withdraw({ bindingId, parent: run.requester.address });
  } catch (error) {
    log.warn({ err: error, runId: run.runId }, "a thread that came too late was not removed");
  }
}
