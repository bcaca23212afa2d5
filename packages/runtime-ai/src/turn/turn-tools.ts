import type { ToolDescription, ToolResult } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { dynamicTool, jsonSchema, type ToolSet } from "ai";

export interface ToolCalls {
  /** Resolves when the call was read in the stream: what the model said before it has been told then. */
  awaitRead(callId: string): Promise<void>;
  /** Counts calls that are at work. */
  begin(): void;
  end(): void;
}

/** The agent's tools as the AI SDK takes them; a call goes to the host, which checks its arguments. */
export function buildTurnTools(
  descriptions: readonly ToolDescription[],
  { live, calls }: { readonly live: LiveTurn; readonly calls: ToolCalls },
): ToolSet {
  return Object.fromEntries(
    descriptions.map(({ name, description, parameters }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema({ ...parameters }),
        execute: async (args, { toolCallId: id }): Promise<ToolResult> => {
          calls.begin();
          try {
            await live.waitFor(calls.awaitRead(id));
            return await live.callTool(name, args);
          } finally {
            calls.end();
          }
        },
        toModelOutput: ({ output }) => formatOutput(output),
      }),
    ]),
  );
}

function formatOutput(output: unknown) {
  const { text, isError } = readResult(output);
  return isError ? ({ type: "error-text", value: text } as const) : ({ type: "text", value: text } as const);
}

/** The SDK hands the result back untyped. */
function readResult(output: unknown): Pick<ToolResult, "text" | "isError"> {
  if (typeof output !== "object" || output === null || !("text" in output) || typeof output.text !== "string")
    return { text: String(output), isError: true };
  return { text: output.text, isError: "isError" in output && output.isError === true };
}
