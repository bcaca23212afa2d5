/** A tool as an agent sees it. `parameters` is a JSON Schema object. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** Counted from 0 over the whole turn, over all its attempts: the call's idempotency key. */
  readonly ordinal: number;
  readonly name: string;
  /** JSON. Validated by the tool, so it may be anything. */
  readonly args: unknown;
}

/** What the agent is given. A refusal or failure is a result with `isError`, so that the agent can act on it. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A call of this turn whose result an earlier attempt committed. */
export interface CommittedToolCall extends ToolCall {
  readonly result: ToolResult;
}
