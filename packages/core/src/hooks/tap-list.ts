import type { Clock, HookContext, Log, TapOptions, TapPoint } from "@banyan/plugin-sdk";
import { inTime, LATE } from "../ports/in-time.ts";

const DEFAULT_TAP_TIMEOUT_MS = 10_000;
const DEFAULT_PRIORITY = 5;
const HIGHEST_PRIORITY = 10;

/** One live tap, wrapped: it knows its name, its time limit, and whether it answers later. */
export interface LiveTap<Payload, Answer> {
  readonly options: TapOptions;
  readonly priority: number;
  call(payload: Payload): Answer | undefined | Promise<Answer | undefined>;
}

/**
 * The live taps of one hook. tapable has no untap, so each kind of hook rebuilds its tapable hook from this list when
 * `revision` has changed, and a disposed tap is gone for good.
 */
export interface TapList<Payload, Answer> extends TapPoint<Payload, Answer> {
  readonly name: string;
  readonly taps: readonly LiveTap<Payload, Answer>[];
  readonly revision: number;
}

export function createTapList<Payload, Answer>(name: string, clock: Clock, log: Log): TapList<Payload, Answer> {
  let taps: readonly LiveTap<Payload, Answer>[] = [];
  let revision = 0;
  const add = ({ options, call }: Omit<LiveTap<Payload, Answer>, "priority">) => {
    let isLive = true;
    const tap: LiveTap<Payload, Answer> = {
      options,
      priority: readPriority(name, options),
      // A call under way still holds the taps it began with: one that is disposed meanwhile is passed over.
      call: (payload) => (isLive ? call(payload) : undefined),
    };
    taps = [...taps, tap];
    revision += 1;
    return () => {
      isLive = false;
      taps = taps.filter((other) => other !== tap);
      revision += 1;
    };
  };
  return {
    name,
    get taps() {
      return taps;
    },
    get revision() {
      return revision;
    },
    tap(given, tap) {
      const options = readOptions(given);
      const context: HookContext = { log, signal: new AbortController().signal };
      return add({
        options,
        call(payload) {
          const answer = tap(payload, context);
          // A plugin may be written without types: what it promises is waited for no longer than another's.
          return answer instanceof Promise ? callWithin(name, options, clock, log, () => answer) : answer;
        },
      });
    },
    tapPromise(given, tap) {
      const options = readOptions(given);
      return add({
        options,
        call: (payload) => callWithin(name, options, clock, log, (context) => tap(payload, context)),
      });
    },
  };
}

function readOptions(given: string | TapOptions): TapOptions {
  return typeof given === "string" ? { name: given } : given;
}

function readPriority(hook: string, { name, priority = DEFAULT_PRIORITY }: TapOptions): number {
  if (Number.isInteger(priority) && priority >= 1 && priority <= HIGHEST_PRIORITY) return priority;
  throw new RangeError(
    `The hook ${hook} was tapped by ${name}: its priority is no whole number from 1 to ${HIGHEST_PRIORITY}, received ${String(priority)}; correct it`,
  );
}

/** Rejects when the tap's time is over, and tells the tap by its signal. */
async function callWithin<Answer>(
  hook: string,
  options: TapOptions,
  clock: Clock,
  log: Log,
  call: (context: HookContext) => Promise<Answer>,
): Promise<Answer> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TAP_TIMEOUT_MS;
  const controller = new AbortController();
  const answer = await inTime(call({ log, signal: controller.signal }), timeoutMs, clock);
  if (answer !== LATE) return answer;
  controller.abort();
  throw new Error(`The hook ${hook} called the tap ${options.name}: no answer within ${timeoutMs} ms`);
}
