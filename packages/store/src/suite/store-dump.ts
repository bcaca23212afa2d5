import type { Store } from "../store.ts";
import { childKey } from "./sample-run.ts";
import { otherAddress, otherLane, sampleAccount, sampleAddress, sampleDays, sampleLane } from "./sample-step.ts";

/** What a dump asks for beside what the store lists by itself. */
export interface DumpScope {
  readonly lanes: readonly string[];
  readonly sessionIds: readonly string[];
  readonly addresses: readonly string[];
  readonly accounts: readonly { readonly channel: string; readonly account: string }[];
  readonly days?: readonly { readonly subject: string; readonly day: string }[];
  readonly linkDesks?: readonly { readonly code: string; readonly channel: string; readonly peer: string }[];
}

export type StoreDump = Readonly<Record<string, unknown>>;

const EVERYTHING = 100_000;

const sampleChildren = ["r", "a", "b", "c"].map(childKey);

const sampleScope: DumpScope = {
  lanes: [sampleLane, otherLane, "agent:main:test:dm:moved", "", ...sampleChildren],
  sessionIds: [sampleLane, otherLane, ...sampleChildren].map((key) => `id of ${key}`).concat("second id"),
  addresses: [sampleAddress, otherAddress, "test|default|moved"],
  accounts: [sampleAccount],
  days: sampleDays,
  linkDesks: [
    { code: "one", channel: "test", peer: "ada" },
    { code: "two", channel: "test", peer: "bob" },
  ],
};

/** All that the reads can say, so that two stores, or one store before and after, can be compared. */
export async function dumpStore({ read }: Store, scope: DumpScope = sampleScope): Promise<StoreDump> {
  const limit = EVERYTHING;
  const each = async <Q, A>(
    queries: readonly Q[],
    ask: (query: Q) => Promise<A>,
  ): Promise<readonly (readonly [Q, A])[]> =>
    Promise.all(queries.map(async (query) => [query, await ask(query)] as const));
  const writersOf = async (lane: string) =>
    (await read.writers(lane)).map(({ channel, peer }) => `${channel} ${peer}`).toSorted();
  return {
    sessions: await read.sessions({ limit }),
    // Archived ones too, which are not listed.
    sessionsByKey: await each(scope.lanes, (key) => read.session(key)),
    lanes: await each(scope.lanes, (lane) => read.lane(lane)),
    openItems: await each(scope.lanes, (lane) => read.openItems({ lane, limit })),
    writers: await each(scope.lanes, writersOf),
    entries: await each(scope.sessionIds, (sessionId) => read.entries({ sessionId, limit })),
    readyLanes: await read.readyLanes({ limit }),
    waitingCommands: await read.waitingCommands({ limit }),
    deliveries: await read.deliveries({ limit }),
    history: await each(scope.addresses, (address) => read.history({ address, limit })),
    cursors: await each(scope.accounts, ({ channel, account }) => read.cursor(channel, account)),
    routes: await read.routes(),
    pairings: await read.pairings({ limit }),
    linkDesks: await each(scope.linkDesks ?? [], (query) => read.linkDesk(query)),
    runs: await read.runs({ limit }),
    timers: await read.timers({ limit }),
    audit: await read.audit({ limit }),
    days: await each(scope.days ?? [], (query) => read.dayUsed(query)),
    counts: await read.counts(),
  };
}
