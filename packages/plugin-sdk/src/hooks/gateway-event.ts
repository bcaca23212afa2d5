/** `at` in milliseconds since the epoch. */
export interface GatewayEvent {
  readonly at: number;
}

export interface SessionEvent {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly reason: "created" | "reset" | "closed";
}
