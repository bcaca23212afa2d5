import { expect, it } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import { checkToolNames, OWN_TOOLS } from "../../src/tools/tool-names.ts";

function check(tools: Partial<AgentConfig["tools"]>, offered: readonly string[] = []): void {
  checkToolNames({ main: { runtime: "demo", workspace: "/w", tools: { deny: [], ...tools } } }, offered);
}

it("takes every tool of ours and of plugins, and all of them by one sign", () => {
  expect(() => check({ allow: ["*"], deny: [...OWN_TOOLS], ask: ["roll_dice"] }, ["roll_dice"])).not.toThrow();
});

it.each<[Partial<AgentConfig["tools"]>, RegExp]>([
  [{ deny: ["exce"] }, /agents\.main\.tools\.deny\[0\]: No such tool.*got "exce"\); did you mean "exec"\?/],
  [{ ask: ["exec", "write_fiel"] }, /tools\.ask\[1\].*did you mean "write_file"\?/],
  [{ allow: ["shell"] }, /tools\.allow\[0\].*use one of list_files, .*sessions_spawn/],
])("refuses %j, which would forbid or ask nothing", (tools, sentence) => {
  expect(() => check(tools)).toThrow(sentence);
});
