import { expect, test } from "vitest";
import { quiet } from "../manual-clock.ts";
import { ADA, CoreDesk } from "./core-desk.ts";
import { aborted, says } from "./played-runtime.ts";

for (const command of ["/stop", "/new"]) {
  test(`${command} that finds the turn running which is given back meanwhile, as an orderly end does: it is decided anew, and the turn runs again, once`, async () => {
    let isGivenBack = false;
    const desk: CoreDesk = new CoreDesk({
      fault(step, when) {
        if (step.step !== "command" || when !== "before" || isGivenBack) return "none";
        isGivenBack = true;
        void desk.store.commit({ step: "release", lane: ADA, epoch: 1, giveBackAttempt: true });
        return "none";
      },
    });
    await desk.connect();
    desk.runtime.play = async function* ({ signal }) {
      if (isGivenBack) return yield* says("done");
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("long");
    await desk.says(command);
    expect(isGivenBack).toBe(true);
    const [answer] = desk.heard();
    expect(answer).toMatch(
      command === "/stop"
        ? /^Nothing is running\. 1 message still waits and will be answered\.$/
        : /^A new conversation begins; the old one is kept\. 1 message that waited goes on in it\.$/,
    );
    desk.lanes.wake(ADA);
    await quiet();
    expect(desk.heard().slice(1)).toEqual(["done"]);
    expect(await desk.lines()).toEqual(["user: long", "assistant: done"]);
  });
}
