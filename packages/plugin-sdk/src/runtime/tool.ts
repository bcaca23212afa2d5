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
  /** The turn is over with this call: what the runtime says or calls afterwards is not heard. */
  readonly endsTurn?: TurnEnding;
  /** What the call has sent to the chat of the turn, with the turn's end. Only the host's own tool `message` says so. */
  readonly says?: Saying;
}

/** A message with files, on its way to a chat. */
export interface Saying {
  readonly text: string;
  readonly files: readonly DeliveryFile[];
}

/** A file on its way to a chat, by the copy that was made of it. */
export interface DeliveryFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** In hexadecimal figures. */
  readonly sha256: string;
}

/** How a tool's result ends the turn. */
export interface TurnEnding {
  /** The turn's answer; absent: what the agent has said until then. */
  readonly text?: string;
}

/** A call of this turn whose result an earlier attempt committed. */
export interface CommittedToolCall extends ToolCall {
  readonly result: ToolResult;
}
