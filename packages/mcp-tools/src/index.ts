/** The tools of a conversation for programs that speak the Model Context Protocol, behind one door on loopback. */
export { buildToolBridge, type ToolBridge } from "./bridge/tool-bridge.ts";
export type { ToolGrant, ToolTurn } from "./grants/tool-grant.ts";
export { type GivenGrant, openToolServer, type ToolServer } from "./tool-server.ts";
