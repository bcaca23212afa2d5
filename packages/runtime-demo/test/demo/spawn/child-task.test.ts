import { expect, it } from "vitest";
import {
  buildLevelTask,
  buildShareTask,
  buildSideTask,
  buildWorkTask,
  type ChildTask,
  type ChildWork,
  parseChildWork,
} from "../../../src/demo/spawn/child-task.ts";

it.each<[ChildTask, ChildWork]>([
  ...[".", "docs/my-x_1", "my docs", "a\nb", '"', "'a'", "x part 1 of 2", '" part 1 of 3', " ", "ü"].flatMap(
    (dir): [ChildTask, ChildWork][] => [
      [buildShareTask({ dir, part: 2, of: 3 }), { kind: "words", dir, part: 2, of: 3 }],
      [buildSideTask(dir, 1), { kind: "side", place: dir }],
    ],
  ),
  [buildLevelTask(2, 5), { kind: "nest", level: 2, of: 5 }],
  [buildWorkTask({ kind: "slow", seconds: 7 }), { kind: "slow", seconds: 7 }],
  [buildWorkTask({ kind: "fail" }), { kind: "fail" }],
  [{ label: "", task: "work count words in docs" }, { kind: "other" }],
  [{ label: "", task: "nest 2" }, { kind: "other" }],
  [{ label: "", task: "write a poem" }, { kind: "other" }],
])("is understood again: %j", (task, work) => {
  expect(parseChildWork(task)).toMatchObject(work);
});
