import { type LiveTurn, readImages } from "@banyan/plugin-sdk/runtime";
import type { AgentAbilities, ImageBlock } from "../links/agent-link.ts";

/** The pictures that came with a turn's messages, for an agent that sees them; its words name each of them anyway. */
export async function buildImageBlocks(
  turn: LiveTurn,
  { canSeeImages }: Pick<AgentAbilities, "canSeeImages">,
): Promise<readonly ImageBlock[]> {
  if (!canSeeImages) return [];
  const images = await readImages(turn);
  return turn.input.input
    .flatMap(({ attachments = [] }) => attachments)
    .flatMap(({ id }) => images.get(id) ?? [])
    .map(({ mediaType, bytes }) => ({
      type: "image",
      mimeType: mediaType,
      data: Buffer.from(bytes).toString("base64"),
    }));
}
