import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = new URL("../../../src/subagents/spawn/", import.meta.url);

/** The stages of a spawn; the sixth is the first that writes, and stands behind all that only decide. */
const STAGES = [
  "1 validate parameters",
  "2 resolve the requester",
  "3 depth",
  "4 active children",
  "5 agent allow-list",
  "7 sandbox",
  "8 child depth",
  "9 role and control scope",
  "10 model",
  "11 thinking",
  "6 new child key and reservation",
  "12 thread binding",
  "13 attachments",
  "14 child system prompt",
  "15 lineage",
  "16 accept the run and start the child",
  "17 arm timers, wake the lane",
  "18 hook subagent_spawned",
  "19 answer",
];

const text = readFileSync(new URL("spawn-pipeline.ts", FOLDER), "utf8");
/** Lines such as `checkDepth(spawn) ?? // 3 depth`. */
const listed = [...text.matchAll(/\b(\w+)\([^()]*\).* \/\/ (\d+ .+)$/gm)].map(([, call, stage]) => ({ call, stage }));

it("a spawn reads as its nineteen stages, in their order", () => {
  expect(STAGES).toHaveLength(19);
  expect(listed.map(({ stage }) => stage)).toEqual(STAGES);
});

it("each stage is a function of its own, in a file of its own", () => {
  const files = listed.map(({ call }) => {
    const [, file] =
      new RegExp(`import \\{[^}]*\\b${call}\\b[^}]*\\} from "\\./stages/([a-z-]+\\.ts)";`).exec(text) ?? [];
    return file;
  });
  expect(files.toSorted()).toEqual(readdirSync(new URL("stages/", FOLDER)).toSorted());
  for (const { call } of listed) expect(text.split(`${call}(`)).toHaveLength(2);
});
