import type { StoreCounts } from "@banyan/store";
import type { ControlOperations } from "./control/control-socket.ts";
import { type DeletionParts, deleteSession } from "./control/delete-session.ts";
import { createLinkOperations } from "./control/operate-links.ts";
import { createPairingOperations } from "./control/operate-pairing.ts";
import { createRunOperations } from "./control/operate-runs.ts";
import { createSessionOperations } from "./control/operate-sessions.ts";
import { createControlOperations } from "./gateway-control.ts";
import type { LaneMove } from "./gateway-moves.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { findAllowance } from "./gateway-pairing.ts";
import type { RouteState } from "./inbound/route-state.ts";
import { createOutboxOperations } from "./outbound/operate-outbox.ts";
import type { Outbox } from "./outbound/outbox.ts";
import { commitUntilKnown } from "./ports/commit-step.ts";
import { listDmScopes } from "./sessions/keys/dm-scope.ts";
import type { TurnParts } from "./turns/turn-parts.ts";

export interface OperationParts {
  readonly options: GatewayOptions;
  readonly outbox: Outbox;
  readonly routeState: RouteState;
  /** How runs end. */
  readonly subagents: DeletionParts;
  readonly getChannel: TurnParts["getChannel"];
  moveLanes(moves: readonly LaneMove[]): Promise<void>;
  getUrl(): string;
  /** `failure`: why the store has failed. */
  readStatus(): { readonly failure: string | undefined };
}

/** A store that has failed cannot be read. */
const NO_COUNTS: StoreCounts = {
  sessions: 0,
  waitingItems: 0,
  activeLanes: 0,
  unsettledDeliveries: 0,
  pendingPairings: 0,
  unfinishedRuns: 0,
};

/** What the command line may ask of this gateway. */
export function buildOperations(parts: OperationParts): ControlOperations {
  const { options, outbox, routeState, subagents, getChannel, moveLanes, getUrl, readStatus } = parts;
  const { store, ports, server, version, identityLinks: configuredLinks, agents, routes, channels } = options;
  const { checkRoutes, listSharedReaders, isTemporary = false } = options;
  return createControlOperations({
    outbox: createOutboxOperations(store, outbox),
    pairing: createPairingOperations({
      store,
      ports,
      outbox,
      getChannel,
      checkRoutes,
      findAllowance: (sender) => findAllowance(channels, sender),
      refreshRoutes: () => routeState.refresh(),
    }),
    links: createLinkOperations({
      store,
      ports,
      configuredLinks,
      agentIds: Object.keys(agents),
      checkRoutes,
      refresh: () => routeState.refresh(),
    }),
    sessions: createSessionOperations({
      store,
      configuredLinks,
      dmScopes: listDmScopes(routes.dmScope, routes.routes),
      scope: routes.scope,
      defaultAgent: routes.defaultAgent,
      listSharedReaders,
      commitRekey: (step) => commitUntilKnown(store, step, ports, subagents.signal),
      moveLanes,
    }),
    runs: createRunOperations(subagents),
    deleteSession: (key, actor) => deleteSession(key, actor, subagents),
    describe: () => ({ url: getUrl(), token: server.token, pid: process.pid, version, isTemporary }),
    status: async () => {
      const status = readStatus();
      return { ...status, counts: status.failure === undefined ? await store.read.counts() : NO_COUNTS };
    },
  });
}
