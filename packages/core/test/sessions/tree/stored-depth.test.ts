import { expect, it } from "vitest";
import { getSubagentDepthFromSessionStore, type ReadTreeEntry } from "../../../src/sessions/tree/stored-depth.ts";

const CHILD = "agent:main:subagent:a";

type Records = Readonly<Record<string, Awaited<ReturnType<ReadTreeEntry>>>>;
const depthOf = (key: string, records: Records) => getSubagentDepthFromSessionStore(key, async (at) => records[at]);

it.each([
  ["its stored depth", CHILD, { [CHILD]: { spawnDepth: 3, spawnedBy: "agent:main:main" } }, 3],
  ["0 where that is stored", CHILD, { [CHILD]: { spawnDepth: 0 } }, 0],
  ["one more than its parent's", CHILD, { [CHILD]: { spawnedBy: "p" }, p: { spawnDepth: 4 } }, 5],
  [
    "two more than its grandparent's",
    CHILD,
    { [CHILD]: { spawnedBy: "p" }, p: { spawnedBy: "g" }, g: { spawnDepth: 1 } },
    3,
  ],
  ["one more than a person's", CHILD, { [CHILD]: { spawnedBy: "agent:main:main" }, "agent:main:main": {} }, 1],
  [
    "what the parent's key says where the parent is gone",
    CHILD,
    { [CHILD]: { spawnedBy: "agent:main:subagent:b" } },
    2,
  ],
  ["what its key says", CHILD, { [CHILD]: {} }, 1],
  ["what its key says where there is no record", "agent:main:subagent:a:subagent:b", {}, 2],
  ["0 for a person's session", "agent:main:main", {}, 0],
])("is %s", async (_what, key, records, depth) => {
  expect(await depthOf(key, records)).toBe(depth);
});

it.each([
  [{ [CHILD]: { spawnedBy: CHILD } }],
  [{ [CHILD]: { spawnedBy: "p" }, p: { spawnedBy: "g" }, g: { spawnedBy: "p" } }],
])("refuses parents in a circle: %j", async (records) => {
  await expect(depthOf(CHILD, records)).rejects.toMatchObject({
    code: "session_tree_cycle",
    message: expect.stringContaining(`resolving the depth of ${CHILD}`),
  });
});
