import { expect, it } from "vitest";
import { getSessionToolRules } from "../../../src/config/shapes/session-tools-config.ts";
import { problemsOf, readWritten } from "../written-config.ts";

it("lets agents see their tree and write to no other agent, unless it is said", () => {
  const defaults = { visibility: "tree", agentToAgent: { enabled: false, allow: [] } };
  expect(getSessionToolRules(undefined)).toEqual(defaults);
  expect(getSessionToolRules({ agentToAgent: { enabled: true } })).toEqual({
    visibility: "tree",
    agentToAgent: { enabled: true, allow: [] },
  });
  const { tools } = readWritten({ tools: { agentToAgent: { enabled: true, allow: ["main", "*"] } } }).config;
  expect(tools).toMatchObject({
    sessions: { visibility: "tree" },
    agentToAgent: { enabled: true, allow: ["main", "*"] },
  });
});

it.each([
  [
    { sessions: { visibility: "friends" } },
    'tools.sessions.visibility: Must be self, tree, agent or all (got "friends").',
  ],
  [{ agentToAgent: { allow: ["ops"] } }, 'tools.agentToAgent.allow[0]: No such agent (got "ops"); use one of main'],
  [{ session: {} }, 'tools.session: Unknown key; did you mean "sessions"?'],
])("refuses the tools %j", (tools, problem) => {
  expect(problemsOf({ tools })).toEqual([problem]);
});
