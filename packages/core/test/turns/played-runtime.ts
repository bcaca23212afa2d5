import type { AgentRuntime, RunEvent, RunHandle, SessionSpec, TurnInput, TurnMessage } from "@banyan/plugin-sdk";

/** What an agent does in one turn. It should end when the signal aborts. */
export type Play = (turn: { readonly input: TurnInput; readonly signal: AbortSignal }) => AsyncIterable<RunEvent>;

export interface PlayedRuntime extends AgentRuntime {
  /** Turns given to the agent, in order. */
  readonly turns: TurnInput[];
  readonly opened: SessionSpec[];
  closed: number;
  play: Play;
  /** What becomes of a message while the agent works. Absent: it hears nothing. */
  hear?: (message: TurnMessage) => Promise<"delivered" | "returned">;
}

/** An agent that a test plays. */
export function createPlayedRuntime(): PlayedRuntime {
  const runtime: PlayedRuntime = {
    id: "played",
    capabilities: {
      get steer() {
        return runtime.hear === undefined ? "none" : "receipt";
      },
      resume: false,
      fork: false,
      history: "core",
      tools: "direct",
      permissions: false,
      usage: true,
    },
    turns: [],
    opened: [],
    closed: 0,
    play: ({ input }) => says(`re: ${input.input[0]?.text}`),
    models: async () => [],
    async open(spec) {
      runtime.opened.push(spec);
      return {
        run: (input) => {
          runtime.turns.push(input);
          return createHandle(runtime, input);
        },
        close: async () => {
          runtime.closed += 1;
        },
      };
    },
  };
  return runtime;
}

function createHandle({ play, hear }: PlayedRuntime, input: TurnInput): RunHandle {
  const controller = new AbortController();
  const rest = Promise.withResolvers<void>();
  async function* events(): AsyncGenerator<RunEvent> {
    try {
      yield* play({ input, signal: controller.signal });
    } finally {
      rest.resolve();
    }
  }
  return {
    events: events(),
    steer: async (message) => (await hear?.(message)) ?? "returned",
    abort(reason) {
      controller.abort(reason);
      return rest.promise;
    },
  };
}

/** An agent's turn that says these texts and is done. */
export async function* says(...texts: readonly string[]): AsyncGenerator<RunEvent> {
  for (const delta of texts) yield { type: "text", delta };
  yield { type: "end", reason: "done" };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
