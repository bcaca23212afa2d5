import { StoreError } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { GroupCommit } from "../src/batches/group-commit.ts";
import type { Operation } from "../src/worker/batch-runner.ts";

function createGroup(): { group: GroupCommit; batches: (readonly Operation[])[]; answer(): void } {
  const batches: (readonly Operation[])[] = [];
  const group = new GroupCommit((operations) => batches.push(operations));
  return {
    group,
    batches,
    answer: () => group.settle((batches.at(-1) ?? []).map((operation) => ({ value: operation }))),
  };
}

const buildRead = (key: string): Operation => ({ read: "session", args: [key] });

describe("group commit", () => {
  test("collects what is asked in one microtask, and what comes meanwhile into the next batch, in order", async () => {
    const { group, batches, answer } = createGroup();
    const asked = ["a", "b", "c"].map((key) => group.submit(buildRead(key)));
    await Promise.resolve();
    asked.push(group.submit(buildRead("d")));
    await Promise.resolve();
    expect(batches).toEqual([["a", "b", "c"].map(buildRead)]);
    answer();
    expect(batches[1]).toEqual([buildRead("d")]);
    answer();
    expect(await Promise.all(asked)).toEqual(["a", "b", "c", "d"].map(buildRead));
  });

  test("puts at most 256 into one transaction", async () => {
    const { group, batches, answer } = createGroup();
    const asked = Array.from({ length: 600 }, (_, index) => group.submit(buildRead(String(index))));
    await Promise.resolve();
    for (let batch = 0; batch < 3; batch += 1) answer();
    expect(batches.map(({ length }) => length)).toEqual([256, 256, 88]);
    expect(await Promise.all(asked)).toHaveLength(600);
  });

  test("answers what was asked before it is finished, and refuses the rest", async () => {
    const { group, answer } = createGroup();
    const first = group.submit(buildRead("a"));
    await Promise.resolve();
    const second = group.submit(buildRead("b"));
    const finished = group.finish(new StoreError("closed", "closed"));
    await expect(group.submit(buildRead("c"))).rejects.toMatchObject({ code: "closed" });
    answer();
    answer();
    await finished;
    expect(await Promise.all([first, second])).toHaveLength(2);
  });
});
