import type { LiveTurn } from "@banyan/plugin-sdk/runtime";

/** Sends a file of the workspace to the chat, by the tool `message`. */
export async function sendFile(turn: LiveTurn, path: string): Promise<void> {
  const sent = await turn.callTool("message", { files: [path] });
  const problem = sent.text.replace(/^message failed \([a-z]+\): /, "");
  await turn.say(sent.isError ? `I can't send ${path}: ${problem}` : `There you are: ${path}.`);
}
