import type { RouteState } from "./access/route-state.ts";
import type { ControlOperations } from "./control/control-socket.ts";
import { createControlOperations } from "./gateway-control.ts";
import type { LaneMove } from "./gateway-moves.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { createLinkOperations } from "./operations/operate-links.ts";
import { createSessionOperations } from "./operations/operate-sessions.ts";
import { createOutboxOperations } from "./outbound/operate-outbox.ts";
import type { Outbox } from "./outbound/outbox.ts";
import { listDmScopes } from "./sessions/keys/dm-scope.ts";

export interface OperationParts {
  readonly options: GatewayOptions;
  readonly outbox: Outbox;
  readonly routeState: RouteState;
  moveLanes(moves: readonly LaneMove[]): Promise<void>;
  getUrl(): string;
  readStatus(): object;
}

/** What the command line may ask of this gateway. */
export function buildOperations(parts: OperationParts): ControlOperations {
  const { options, outbox, routeState, moveLanes, getUrl, readStatus } = parts;
  const { store, ports, server, version, identityLinks: configuredLinks, agents, routes } = options;
  return createControlOperations({
    outbox: createOutboxOperations(store, outbox),
    links: createLinkOperations({
      store,
      ports,
      configuredLinks,
      agentIds: Object.keys(agents),
      refresh: () => routeState.refresh(),
    }),
    sessions: createSessionOperations({
      store,
      configuredLinks,
      dmScopes: listDmScopes(routes.dmScope, routes.routes),
      moveLanes,
    }),
    describe: () => ({ url: getUrl(), token: server.token, pid: process.pid, version }),
    status: async () => ({ ...readStatus(), counts: await store.read.counts() }),
  });
}
