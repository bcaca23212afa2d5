import { formatAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { CoreDesk } from "../turns/core-desk.ts";

const HOUR_MS = 3_600_000;

function warnings(desk: CoreDesk): readonly object[] {
  return desk.ports.logged.flatMap(({ level, fields, message }) =>
    level === "warn" && message.includes("is this machine's clock right") ? [fields] : [],
  );
}

it("a message older than a day is left out and its sender told, once an hour; younger ones are answered", async () => {
  const desk = await new CoreDesk().connect();
  const now = desk.ports.clock.now();
  const old = ["one", "two", "three"].map((text) => desk.message(text, { at: now - 25 * HOUR_MS }));
  expect(await desk.receive([...old, desk.message("young", { at: now - 23 * HOUR_MS })])).toEqual([
    "refused",
    "refused",
    "refused",
    "stored",
  ]);
  expect(desk.heard()).toEqual([
    expect.stringMatching(/^While I was away your message of .+ UTC grew older/),
    "re: young",
  ]);
  await desk.ports.clock.advance(HOUR_MS);
  await desk.receive([desk.message("four", { at: now - 25 * HOUR_MS })]);
  expect(desk.heard()).toHaveLength(3);
});

it("is told also to who was told of another refusal just now, and never to a group", async () => {
  const desk = await new CoreDesk().connect();
  const at = desk.ports.clock.now() - 25 * HOUR_MS;
  await desk.says("x".repeat(1_048_577));
  await desk.receive([desk.message("old", { at })]);
  expect(desk.heard()).toEqual([
    expect.stringMatching(/^Your message has/),
    expect.stringMatching(/^While I was away/),
  ]);
  const address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
  expect(await desk.receive([desk.message("old", { at, address, addressed: true })])).toEqual(["refused"]);
  expect(desk.sent).toHaveLength(2);
});

it("a wrong clock is suspected once when messages in a row are too old, and again after one that was not", async () => {
  const desk = await new CoreDesk().connect();
  const now = desk.ports.clock.now();
  const old = () => desk.message("old", { at: now - 30 * HOUR_MS });
  await desk.receive([old()]);
  expect(warnings(desk)).toEqual([]);
  await desk.receive([old()]);
  await desk.receive([old(), old()]);
  expect(warnings(desk)).toEqual([
    { clock: new Date(now).toISOString(), message: new Date(now - 30 * HOUR_MS).toISOString() },
  ]);
  await desk.receive([desk.message("young"), old(), old()]);
  expect(warnings(desk)).toHaveLength(2);
});

it("one late message that comes again is no second one, in the same batch or later, nor between two others", async () => {
  const desk = await new CoreDesk().connect();
  const at = desk.ports.clock.now() - 30 * HOUR_MS;
  const [old, other] = [desk.message("old", { at }), desk.message("other", { at })];
  await desk.receive([old, old]);
  await desk.receive([old]);
  await desk.receive([desk.message("young")]);
  await desk.receive([other, old]);
  expect(warnings(desk)).toEqual([]);
  await desk.receive([desk.message("third", { at })]);
  expect(warnings(desk)).toHaveLength(1);
});

it("a message that was answered and comes again when it is old is not late", async () => {
  const desk = await new CoreDesk().connect();
  const [one, two] = [desk.message("one"), desk.message("two")];
  await desk.receive([one, two]);
  await desk.ports.clock.advance(30 * HOUR_MS);
  expect(await desk.receive([one, two])).toEqual(["duplicate", "duplicate"]);
  expect(warnings(desk)).toEqual([]);
});

it("is judged by the platform's clock where that is known, whatever this machine's says", async () => {
  const desk = await new CoreDesk().connect();
  const platformNow = desk.ports.clock.now() + 72 * HOUR_MS;
  const young = desk.message("young", { at: platformNow - HOUR_MS });
  const old = desk.message("old", { at: platformNow - 25 * HOUR_MS });
  expect(await desk.receive([young, old], undefined, platformNow)).toEqual(["stored", "refused"]);
  const behind = desk.ports.clock.now() - 72 * HOUR_MS;
  expect(await desk.receive([desk.message("now", { at: behind })], undefined, behind)).toEqual(["stored"]);
});
