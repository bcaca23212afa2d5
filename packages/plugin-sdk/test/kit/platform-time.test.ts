import { expect, test } from "vitest";
import { createManualClock } from "../../src/kit/manual-clock.ts";
import { createPlatformTime } from "../../src/kit/platform-time.ts";

const DATE = "Fri, 20 Nov 2026 12:00:00 GMT";

function open(date: string | undefined) {
  const clock = createManualClock();
  const headers = date === undefined ? {} : { date };
  return { clock, time: createPlatformTime(async () => Response.json({}, { headers }), clock) };
}

test("goes on from the last answer's date, whatever this machine's clock says", async () => {
  const { clock, time } = open(DATE);
  expect(time.now()).toBeUndefined();
  await time.fetch("https://api.telegram.org/x");
  expect(time.now()).toBe(Date.parse(DATE));
  await clock.advance(5_000);
  expect(time.now()).toBe(Date.parse(DATE) + 5_000);
});

test.each([undefined, "", "yesterday"])("an answer without a date that can be read tells nothing: %s", async (date) => {
  const { time } = open(date);
  await time.fetch("https://api.telegram.org/x");
  expect(time.now()).toBeUndefined();
});
