import { basename } from "node:path";
import type { Address, DeliveryFile, FilesCapability, ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { OutgoingFiles } from "../outbound/outgoing-files.ts";
import type { Ports } from "../ports/ports.ts";
import { formatHarmlessName } from "./attachments/attachment-name.ts";
import { defineTool } from "./definition.ts";
import { ToolFailure } from "./failure.ts";
import { openRegularFile } from "./files/safe-open.ts";
import { resolveWorkspacePath, workspacePathArgument } from "./files/workspace-path.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The limit of an album on the platforms. */
const MAX_FILES = 10;
/** Longer text belongs in the answer. */
const MAX_TEXT_CHARS = 20_000;
const TIMEOUT_MS = 120_000;

export interface MessageToolParts {
  /** Absent without a state directory: then no files can be sent. */
  readonly files: OutgoingFiles | undefined;
  readonly ports: Pick<Ports, "faultPoint">;
  /** What the chat's channel accepts; `undefined`: no files. */
  findCapability(address: Address): FilesCapability | undefined;
}

interface MessageArgs {
  readonly text?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

const args: z.ZodType<MessageArgs> = z.strictObject({
  text: z.string().max(MAX_TEXT_CHARS).optional().describe("Markdown. With files: the text that goes with them."),
  files: z.array(workspacePathArgument).max(MAX_FILES).optional().describe("Files, relative to the workspace."),
});

/** Copies the files during the call, so that later changes are not sent. */
export function createMessageTool(parts: MessageToolParts): Tool {
  return defineTool({
    name: "message",
    description:
      "Sends a message, with files of the workspace if you name some, to the chat that you are talking in. It goes out when " +
      "your turn ends, before your answer; a turn that is stopped sends nothing. Use it for files; plain words belong into " +
      "your answer.",
    args,
    // The name of a copy depends on its content, and the text is only stored.
    isRepeatable: true,
    use: ({ files = [] }) => ({ paths: files.map((path) => ({ path, access: "read" })) }),
    timeoutMs: TIMEOUT_MS,
    run: (wanted, context) => prepareMessage(wanted, context, parts),
  });
}

async function prepareMessage(
  { text = "", files: paths = [] }: MessageArgs,
  context: ToolContext,
  parts: MessageToolParts,
): Promise<ToolResult> {
  const { address, isQuiet } = context.caller;
  if (isQuiet) throw new ToolFailure("permission", "what you say here goes to no chat; put it into your answer.");
  if (text.trim() === "" && paths.length === 0)
    throw new ToolFailure("error", "it is empty; give text, files or both.");
  const capability = parts.findCapability(address);
  const files: DeliveryFile[] = [];
  for (const path of paths) files.push(await keepFile(path, capability, context, parts));
  const names = files.map(({ name, sizeBytes }) => `${name} (${sizeBytes} bytes)`);
  const what = names.length === 0 ? "It" : `With ${names.join(", ")} it`;
  return { text: `${what} is sent when your turn ends.`, isError: false, says: { text, files } };
}

async function keepFile(
  path: string,
  capability: FilesCapability | undefined,
  context: ToolContext,
  { files, ports }: MessageToolParts,
): Promise<DeliveryFile> {
  if (files === undefined) throw new ToolFailure("resource", "this gateway keeps no files to send; go on without.");
  const { realPath, shownPath } = await resolveWorkspacePath(path, context);
  const { handle, size } = await openRegularFile(realPath);
  try {
    const quoted = JSON.stringify(shownPath);
    if (capability === undefined) {
      const problem = "this chat can't receive files, so nothing was sent.";
      throw new ToolFailure("resource", `${problem} ${quoted} is in the workspace.`);
    }
    const limit = capability.limitBytes;
    const tooLarge = () =>
      new ToolFailure("resource", `${quoted} has ${size} bytes, and this chat takes ${limit}; send less of it.`);
    if (size > limit) throw tooLarge();
    if (size === 0) throw new ToolFailure("error", `${quoted} is empty, and no chat takes an empty file.`);
    const name = formatHarmlessName(basename(shownPath));
    ports.faultPoint("outgoing.before");
    const kept = await files.keep(handle);
    ports.faultPoint("outgoing.after");
    if (kept === "holds-secret")
      throw new ToolFailure(
        "permission",
        `${quoted} holds a secret of this gateway, which goes to no chat; send less of it.`,
      );
    // The file grew during the copy.
    if (kept.sizeBytes > limit) throw tooLarge();
    return { name, ...kept };
  } finally {
    await handle.close();
  }
}
