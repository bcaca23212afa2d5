import type { Clock, Log, TapOptions, TapPoint } from "@banyan/plugin-sdk";
import { AsyncParallelHook, AsyncSeriesBailHook, AsyncSeriesWaterfallHook } from "tapable";
import { createTapList, type LiveTap, type TapList } from "./tap-list.ts";

/** All taps run beside each other; none can fail the caller. */
export interface Observer<Payload> extends TapPoint<Payload> {
  call(payload: Payload): Promise<void>;
}

/** The first answer ends the call. */
export interface Bail<Payload, Answer> extends TapPoint<Payload, Answer>, Ranked {
  readonly isTapped: boolean;
  /** With a priority: only the taps that have it. */
  call(payload: Payload, priority?: number): Promise<Answer | undefined>;
}

interface Ranked {
  /** Those that the taps have, each once. */
  readonly priorities: readonly number[];
}

/** Each tap gets the payload with the answers so far folded in. */
export interface Waterfall<Payload, Answer> extends TapPoint<Payload, Answer>, Ranked {
  readonly isTapped: boolean;
  /** With a priority: only the taps that have it. */
  call(payload: Payload, priority?: number): Promise<Payload>;
}

interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
}

export function createObserver<Payload>(name: string, { clock, log }: Surroundings): Observer<Payload> {
  const list = createTapList<Payload, never>(name, clock, log);
  const current = rebuiltWhenChanged(list, (taps) => {
    const hook = new AsyncParallelHook<[Payload]>(["payload"]);
    for (const { options, call } of taps) {
      hook.tapPromise(tapableOptions(options), async (payload) => {
        try {
          await call(payload);
        } catch (error) {
          log.error({ err: error, hook: name, tap: options.name }, "a tap failed");
        }
      });
    }
    return hook;
  });
  return {
    tap: list.tap,
    tapPromise: list.tapPromise,
    call: async (payload) => (list.taps.length > 0 ? current().promise(payload) : undefined),
  };
}

/** `onThrow` turns a failed tap into an answer. Without it the call rejects, and what was thrown is the caller's to judge and log. */
export function createBail<Payload, Answer>(
  name: string,
  { clock, log }: Surroundings,
  onThrow?: (error: unknown, tapName: string) => Answer | undefined,
): Bail<Payload, Answer> {
  const list = createTapList<Payload, Answer>(name, clock, log);
  const current = rebuiltWhenChanged(list, (taps) => {
    const hook = new AsyncSeriesBailHook<[Payload], Answer | undefined>(["payload"]);
    for (const { options, call } of taps) {
      hook.tapPromise(tapableOptions(options), async (payload) => {
        try {
          return await call(payload);
        } catch (error) {
          if (onThrow === undefined) throw error;
          log.error({ err: error, hook: name, tap: options.name }, "a tap failed");
          return onThrow(error, options.name);
        }
      });
    }
    return hook;
  });
  return {
    tap: list.tap,
    tapPromise: list.tapPromise,
    get isTapped() {
      return list.taps.length > 0;
    },
    get priorities() {
      return listPriorities(list);
    },
    call: async (payload, priority) => (list.taps.length > 0 ? current(priority).promise(payload) : undefined),
  };
}

/**
 * `fold` puts an answer into the payload, and throws for one that is none: that tap has failed. `onRequiredThrow` answers
 * for a failed tap without whose word nothing goes on.
 */
export function createWaterfall<Payload, Answer>(
  name: string,
  { clock, log }: Surroundings,
  fold: (payload: Payload, answer: Answer) => Payload,
  onRequiredThrow: (tapName: string) => Answer | undefined = () => undefined,
): Waterfall<Payload, Answer> {
  const list = createTapList<Payload, Answer>(name, clock, log);
  const current = rebuiltWhenChanged(list, (taps) => {
    const hook = new AsyncSeriesWaterfallHook<[Payload]>(["payload"]);
    for (const { options, call } of taps) {
      hook.tapPromise(tapableOptions(options), async (payload) => {
        try {
          const answer = await call(payload);
          return answer === undefined ? payload : fold(payload, answer);
        } catch (error) {
          log.error({ err: error, hook: name, tap: options.name }, "a tap failed");
          const answer = options.isRequired ? onRequiredThrow(options.name) : undefined;
          return answer === undefined ? payload : fold(payload, answer);
        }
      });
    }
    return hook;
  });
  return {
    tap: list.tap,
    tapPromise: list.tapPromise,
    get isTapped() {
      return list.taps.length > 0;
    },
    get priorities() {
      return listPriorities(list);
    },
    call: async (payload, priority) => (list.taps.length > 0 ? current(priority).promise(payload) : payload),
  };
}

function tapableOptions(options: TapOptions): { name: string; stage?: number; before?: string } {
  const { name, stage, before } = options;
  return {
    name,
    ...(stage === undefined ? {} : { stage }),
    ...(before === undefined ? {} : { before }),
  };
}

function listPriorities<Payload, Answer>({ taps }: TapList<Payload, Answer>): readonly number[] {
  return [...new Set(taps.map(({ priority }) => priority))];
}

/** One hook for all taps, and one for those of each priority that is asked for. */
function rebuiltWhenChanged<Payload, Answer, Hook>(
  list: TapList<Payload, Answer>,
  build: (taps: readonly LiveTap<Payload, Answer>[]) => Hook,
): (priority?: number) => Hook {
  let revision: number | undefined;
  const built = new Map<number | undefined, Hook>();
  return (priority) => {
    if (revision !== list.revision) built.clear();
    revision = list.revision;
    const known = built.get(priority);
    if (known !== undefined) return known;
    const hook = build(priority === undefined ? list.taps : list.taps.filter((tap) => tap.priority === priority));
    built.set(priority, hook);
    return hook;
  };
}
