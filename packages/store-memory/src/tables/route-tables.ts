import type { ChatMoveRow, LinkCodeRow, LinkRow, PairingRow } from "@banyan/plugin-sdk/store";

/** Who is who, who may talk and where a chat went. Each map is in the order in which its rows were made. */
export interface RouteTables {
  /** Grows with each change of what routing decides by: approved pairings, links, chat moves. */
  revision: number;
  readonly pairings: Map<string, PairingRow>;
  readonly links: Map<string, LinkRow>;
  readonly linkCodes: Map<string, LinkCodeRow>;
  readonly linkFailures: Map<string, { readonly count: number; readonly expiresAtMs: number }>;
  readonly chatMoves: Map<string, ChatMoveRow>;
}

export function createRouteTables(): RouteTables {
  return {
    revision: 0,
    pairings: new Map(),
    links: new Map(),
    linkCodes: new Map(),
    linkFailures: new Map(),
    chatMoves: new Map(),
  };
}
