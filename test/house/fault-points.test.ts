import { Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { listStoryPoints } from "../crash/story-point.ts";
import { formatPlace, parseSource, readSources, type SourceFile } from "./source-file.ts";

const OF_PROCESSES = /^packages\/(core|store-sqlite)\/src\//;
/** Hands on what it is given. */
const HANDED_ON = "packages/store-sqlite/src/worker/fault-point-module.ts";
const stories = listStoryPoints();
const files = readSources().filter(({ path }) => OF_PROCESSES.test(path) && path !== HANDED_ON);
const calls = files.flatMap(listFaultPoints);

test("there are fault points, in the core and in the store", () => {
  expect(calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["T0.before", "T6.after", "store.commit.before"]),
  );
});

test("a process is killed at every fault point by a story of test/crash", () => {
  const untold = calls.filter(({ name }) => !isTold(name));
  expect(untold.map(({ place }) => place)).toEqual([]);
});

test("a fault point is named where it stands", () => {
  expect(calls.filter(({ name }) => name === "").map(({ place }) => place)).toEqual([]);
});

test("what stands in front of a step has its counterpart behind it", () => {
  const names = new Set(calls.map(({ name }) => name));
  const single = [...names].filter((name) => {
    const other = name.endsWith(".before") ? name.replace(/before$/, "after") : name.replace(/after$/, "before");
    return !names.has(other);
  });
  expect(single).toEqual([]);
});

test("a seeded fault point without a story is found", () => {
  const quarter = `jsonl.append.q\${quarter}`;
  const code = `ports.faultPoint("T9.before");\nfaultPoint?.(\`${quarter}\`);\nports.faultPoint(name);`;
  const found = listFaultPoints(parseSource("seeded.ts", code)).map(({ name }) => [name, isTold(name)]);
  expect(found).toEqual([
    ["T9.before", false],
    ["jsonl.append.q*", true],
    ["", false],
  ]);
});

/** `*` stands for what is worked out. */
function isTold(name: string): boolean {
  const [begin = "", ...rest] = name.split("*");
  return rest.length === 0 ? stories.has(name) : [...stories].some((story) => story.startsWith(begin));
}

interface FaultPointCall {
  /** Empty where it cannot be read from the call. */
  readonly name: string;
  readonly place: string;
}

function listFaultPoints({ path, text, parsed }: SourceFile): readonly FaultPointCall[] {
  if (!text.includes("faultPoint")) return [];
  const found: FaultPointCall[] = [];
  const visitor = new Visitor({
    CallExpression({ start, end, callee, arguments: given }) {
      const called = text.slice(callee.start, callee.end);
      if (!/(^|\.)faultPoint$/.test(called)) return;
      const [first] = given;
      const name = first === undefined ? "" : readName(text.slice(first.start, first.end));
      found.push({ name, place: formatPlace(path, text, start, text.slice(start, end)) });
    },
  });
  visitor.visit(parsed.program);
  return found;
}

function readName(argument: string): string {
  const literal = /^["'`](.*)["'`]$/.exec(argument)?.[1];
  return literal === undefined ? "" : literal.replaceAll(/\$\{[^}]*\}/g, "*");
}
