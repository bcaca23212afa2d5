import { createManualClock } from "@banyan/plugin-sdk/kit";
import { expect, it } from "vitest";
import { SilenceWatch } from "../../src/turn/silence-watch.ts";

function watch(isBusy = () => false) {
  const clock = createManualClock();
  const heard: string[] = [];
  const silence = new SilenceWatch(clock, isBusy, (error) => heard.push(error.message));
  return { clock, heard, silence };
}

it("tells once of a model that has sent nothing for three minutes", () => {
  const { clock, heard } = watch();
  clock.advance(179_999);
  expect(heard).toEqual([]);
  clock.advance(1);
  clock.advance(600_000);
  expect(heard).toEqual(["nothing came for 180 s"]);
});

it("counts from the last that was heard", () => {
  const { clock, heard, silence } = watch();
  clock.advance(100_000);
  silence.hear();
  clock.advance(100_000);
  expect(heard).toEqual([]);
  clock.advance(80_000);
  expect(heard).toHaveLength(1);
});

it("takes no tool's time for silence, and leaves no timer behind", () => {
  let isBusy = true;
  const { clock, heard, silence } = watch(() => isBusy);
  clock.advance(180_000);
  isBusy = false;
  clock.advance(179_000);
  expect(heard).toEqual([]);
  silence.close();
  expect(clock.pending).toBe(0);
});
