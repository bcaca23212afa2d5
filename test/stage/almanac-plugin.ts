/** Tools that a stranger wrote in one file, against the public contract alone. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, defineToolPlugin, type ToolPlugin } from "@banyan/plugin-sdk";
import { z } from "zod";

interface Almanac {
  readonly town: string;
  /** The tool that is not to be used. */
  readonly closed?: string | undefined;
}

const AlmanacConfig: z.ZodType<Almanac> = z.strictObject({
  town: z.string().default("Grove"),
  closed: z.string().optional(),
});

const almanac: ToolPlugin<Almanac> = defineToolPlugin<Almanac>({
  id: "almanac",
  apiVersion: 1,
  config: AlmanacConfig,
  tools: [
    defineTool({
      name: "moon",
      description: "Tells how the moon stands on a day.",
      args: z.strictObject({ day: z.int().min(1).max(31) }),
      isRepeatable: true,
      run: ({ day }, { config }) => `On day ${day} the moon over ${AlmanacConfig.parse(config).town} is full.`,
    }),
    defineTool({
      name: "plant",
      description: "Plants a tree, which cannot be taken back.",
      args: z.strictObject({ tree: z.string() }),
      isRepeatable: false,
      run: ({ tree }, { workspaceDir }) => {
        if (tree === "iron") return { text: "Iron does not grow.", isError: true };
        if (tree === "thorn") throw new Error("the thorn stings");
        appendFileSync(join(workspaceDir, "planted.txt"), `${tree}\n`);
        return `The ${tree} stands.`;
      },
    }),
  ],
  tap(hooks, { config }) {
    // Before the host looks at the command.
    hooks.before_tool_call.tap({ name: "calendar", priority: 9 }, ({ call }) =>
      call.name === config.closed ? { refused: "it is a holiday." } : undefined,
    );
    hooks.after_tool_call.tap({ name: "stars", priority: 2 }, ({ call, result }) =>
      call.name === "moon" ? { ...result, text: `${result.text} So are the stars.` } : undefined,
    );
  },
});

export default almanac;
