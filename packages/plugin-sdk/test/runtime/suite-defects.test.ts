import { expect, test } from "vitest";
import type {
  AgentRuntime,
  RunEvent,
  RunHandle,
  RuntimeCapabilities,
  RuntimeSession,
  TurnInput,
  TurnMessage,
} from "../../src/index.ts";
import { listRuntimeCases, type RuntimeHarness, type RuntimePlan } from "../../src/runtime/suite/index.ts";
import { createRunHandle, createSingleRunSession, type LiveTurn, type TurnEnd } from "../../src/runtime/turns/index.ts";

const PLANS = ["answers", "lasts", "calls", "spends", "steers", "fails", "dies"] as const satisfies RuntimePlan[];
const CAPABILITIES: RuntimeCapabilities = {
  steer: "receipt",
  resume: false,
  fork: false,
  history: "core",
  tools: "direct",
  permissions: false,
  usage: true,
};
const DONE: TurnEnd = { reason: "done" };
const never = new Promise<never>(() => undefined);

/** Does what its message names, as the contract has it. */
async function answer(turn: LiveTurn, steered: Promise<TurnMessage>): Promise<TurnEnd> {
  const [plan] = turn.input.input.map(({ text }) => text);
  if (plan === "lasts") await turn.waitFor(never);
  if (plan === "calls") for (const name of ["list_files", "read_file"]) await turn.callTool(name, {});
  if (plan === "steers") await turn.say((await turn.waitFor(steered)).text);
  if (plan === "fails") return { reason: "error", error: { isRetryable: false, message: "it cannot" } };
  if (plan === "dies") return { reason: "error", error: { isRetryable: true, message: "it went away" } };
  if (plan === "spends") {
    turn.reportUsage({ inputTokens: 12 });
    await turn.waitFor(never);
  }
  for (const part of ["an", "sw", "er"]) await turn.say(part);
  return DONE;
}

function start(input: TurnInput, log: Parameters<typeof createRunHandle>[2]["log"]) {
  const steered = Promise.withResolvers<TurnMessage>();
  let isTaken = false;
  return createRunHandle(input, (turn) => answer(turn, steered.promise), {
    log,
    steer: async (message) => {
      if (isTaken || input.input[0]?.text !== "steers") return "returned";
      isTaken = true;
      steered.resolve(message);
      return "delivered";
    },
  });
}

/** What is wrong with a runtime that is sound otherwise. */
interface Defect {
  run?(run: (turn: TurnInput) => RunHandle, turn: TurnInput): RunHandle;
  open?(open: AgentRuntime["open"], ...given: Parameters<AgentRuntime["open"]>): Promise<RuntimeSession>;
}

function createHarness({ run, open }: Defect): RuntimeHarness {
  const openSound: AgentRuntime["open"] = async (_spec, { log }, signal) => {
    signal.throwIfAborted();
    const session = createSingleRunSession((turn) => start(turn, log));
    return run === undefined ? session : { ...session, run: (turn) => run(session.run, turn) };
  };
  const runtime: AgentRuntime = {
    id: "sound",
    capabilities: CAPABILITIES,
    models: async () => [],
    open: (...given) => (open === undefined ? openSound(...given) : open(openSound, ...given)),
  };
  const plans = Object.fromEntries(PLANS.map((plan) => [plan, () => ({ text: plan })]));
  return {
    runtime,
    plans: { ...plans, answers: () => ({ text: "answers", answer: "answer" }), lasts: () => ({ text: "lasts" }) },
  };
}

/** The same handle, whose events pass through something. */
function change(handle: RunHandle, through: (events: AsyncIterable<RunEvent>) => AsyncIterable<RunEvent>): RunHandle {
  const { steer, abort } = handle;
  return { events: through(handle.events), steer: steer.bind(handle), abort: abort.bind(handle) };
}

function onEach(each: (event: RunEvent) => readonly RunEvent[]): Defect {
  return {
    run: (run, turn) =>
      change(run(turn), async function* (events) {
        for await (const event of events) yield* each(event);
      }),
  };
}

function onTurn(build: (turn: TurnInput) => Partial<TurnInput>): Defect {
  return { run: (run, turn) => run({ ...turn, ...build(turn) }) };
}

const DEFECTS: readonly (readonly [string, string, Defect])[] = [
  ["ends twice", "end: a turn ends exactly once", onEach((event) => (event.type === "end" ? [event, event] : [event]))],
  [
    "speaks behind its end",
    "end: a turn ends exactly once",
    onEach((event) => (event.type === "end" ? [event, { type: "text", delta: "x" }] : [event])),
  ],
  [
    "mixes up its text",
    "end: a reader who comes late",
    onEach((event) =>
      event.type === "text" ? [{ ...event, delta: event.delta.split("").reverse().join("") }] : [event],
    ),
  ],
  [
    "forgets what a stopped turn has spent",
    "abort: what was spent",
    onEach((event) => (event.type === "end" ? [{ type: "end", reason: event.reason }] : [event])),
  ],
  [
    "says a stopped turn was done",
    "abort: settles in time",
    onEach((event) => (event.type === "end" ? [{ type: "end", reason: "done" }] : [event])),
  ],
  [
    "does not end its calls",
    "tools: each start has one end",
    onEach((event) => (event.type === "tool_end" ? [] : [event])),
  ],
  [
    "gives up what went away",
    "end: what went away",
    onEach((event) =>
      event.type === "end" && event.error !== undefined
        ? [{ ...event, error: { ...event.error, isRetryable: false } }]
        : [event],
    ),
  ],
  [
    "tries for ever what stays wrong",
    "end: a failure that stays one",
    onEach((event) =>
      event.type === "end" && event.error !== undefined
        ? [{ ...event, error: { ...event.error, isRetryable: true } }]
        : [event],
    ),
  ],
  [
    "numbers its calls anew in each attempt",
    "tools: a call that an earlier attempt committed",
    onTurn(({ callTool }) => ({ callTool: (call) => callTool({ ...call, ordinal: call.ordinal + 7 }) })),
  ],
  [
    "goes on without its lane",
    "tools: a turn that has lost its lane",
    onTurn(({ callTool }) => ({ callTool: (call) => callTool(call).catch(() => ({ text: "gone", isError: true })) })),
  ],
  [
    "says that it has taken what it has not",
    "steer: what is delivered is heard",
    {
      run: (run, turn) => {
        const handle = run(turn);
        return { ...handle, steer: async (message) => handle.steer(message).then(() => "delivered") };
      },
    },
  ],
  [
    "takes what comes too late",
    "steer: a message after the end is returned",
    { run: (run, turn) => ({ ...run(turn), steer: async () => "delivered" }) },
  ],
  [
    "takes a second turn beside the first",
    "session: a second run is refused",
    {
      open: async (_open, _spec, { log }) => ({ run: (turn) => start(turn, log), close: async () => undefined }),
    },
  ],
  [
    "opens for nobody",
    "session: does not open under a signal that is aborted",
    { open: (open, spec, host) => open(spec, host, new AbortController().signal) },
  ],
  [
    "leaves a timer behind",
    "abort: settles in time",
    {
      open: async (open, spec, host, signal) => {
        host.clock.schedule(60_000, () => undefined);
        return open(spec, host, signal);
      },
    },
  ],
];

const CASES = listRuntimeCases({ capabilities: CAPABILITIES, plans: PLANS });

test.each(CASES.map((one) => [one.name, one] as const))(
  "a sound runtime keeps the sentence “%s”",
  async (_name, one) => {
    await one.run(createHarness({}));
  },
);

test.each(DEFECTS)("a runtime that %s does not keep “%s …”", async (_what, sentence, defect) => {
  const found = CASES.filter(({ name }) => name.startsWith(sentence));
  expect(found).toHaveLength(1);
  for (const { run } of found) await expect(run(createHarness(defect))).rejects.toThrow();
});
