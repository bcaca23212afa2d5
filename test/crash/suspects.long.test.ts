import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebPerson } from "../stage/web-person.ts";
import { GatewayLives } from "./gateway-lives.ts";

const TOKEN = "a-token-for-everybody";
const LIMIT_MS = 240_000;
const JOBS = 24;
const KILLS = 20;
const DONE = /until it is told/;

/** People in the web chat who each give the agent one job. */
function openPeople(lives: GatewayLives, count: number, first = 0): readonly WebPerson[] {
  const people = Array.from(
    { length: count },
    (_, at) => new WebPerson(`person-${first + at}`, () => ({ url: lives.gateway.url, token: TOKEN })),
  );
  onTestFinished(() => {
    for (const person of people) person.leave();
  });
  return people;
}

function openLives(): GatewayLives {
  const folder = mkdtempSync(join(tmpdir(), "banyan-suspects-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const agents = { main: { runtime: "tree" } };
  const config = { stateDir: "./state", server: { port: 0, token: TOKEN }, log: { level: "warn" }, agents };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  const lives = new GatewayLives(folder, {});
  onTestFinished(() => lives.kill());
  return lives;
}

/** Jobs that have not ended. */
async function countLeft(lives: GatewayLives): Promise<number> {
  const { waitingItems, activeLanes } = await lives.read((read) => read.counts());
  return waitingItems + activeLanes;
}

/**
 * Kills the gateway while it works and at most so many jobs are left; `false` where all were done before. The moments are
 * chosen by what is done, so that they do not depend on the machine.
 */
async function isKilledAt(lives: GatewayLives, most: number): Promise<boolean> {
  for (;;) {
    const { waitingItems, activeLanes } = await lives.read((read) => read.counts());
    if (waitingItems + activeLanes === 0) return false;
    if (activeLanes > 0 && waitingItems + activeLanes <= most) break;
    await lives.pace();
  }
  lives.gateway.signal("SIGKILL");
  await lives.gateway.ended();
  return true;
}

test(`no job fails, although the gateway is killed from outside ${KILLS} times`, { timeout: LIMIT_MS }, async () => {
  const lives = openLives();
  await lives.start();
  const people: WebPerson[] = [];
  let kills = 0;
  while (kills < KILLS) {
    const before = await countLeft(lives);
    // There is always work to be killed at, however many jobs end between two looks.
    const joining = openPeople(lives, people.length === 0 ? JOBS : before < 2 ? 2 : 0, people.length);
    for (const person of joining) await person.says("grow");
    people.push(...joining);
    // Twice while all of them run, so that they are suspects; then wherever one more of them is done.
    const most = before + joining.length - (kills < 2 ? 0 : 1);
    if (!(await isKilledAt(lives, most))) continue;
    kills += 1;
    await lives.start();
  }
  await lives.rests();
  const told = await Promise.all(people.map((person) => person.lines()));
  for (const lines of told)
    expect(
      lines.filter((line) => DONE.test(line)),
      lines.join("\n"),
    ).toHaveLength(1);
  expect(told.flat().filter((line) => line.includes("was set aside"))).toEqual([]);
  await lives.stop();
});

test("a job that ends the process is quarantined at its fifth death, and all others finish", {
  timeout: LIMIT_MS,
}, async () => {
  const lives = openLives();
  await lives.start();
  const people = openPeople(lives, 9);
  const [culprit, ...others] = people;
  if (culprit === undefined) throw new Error("A test was opened: nobody gives the agent a job");
  for (const person of others) await person.says("grow");
  // Its process may end before it answers.
  await culprit.says("poison").catch(() => undefined);
  for (let death = 1; death <= 5; death += 1) {
    await lives.gateway.died(`the death ${death} of five`);
    await lives.start();
  }
  await lives.rests();
  expect(await culprit.lines()).toEqual([
    "user: poison",
    "assistant: ⚠ Your message “poison” was set aside: the gateway crashed 3 times while working on it. Send it again to try once more.",
  ]);
  for (const person of others) expect((await person.lines()).filter((line) => DONE.test(line))).toHaveLength(1);
  await lives.stop();
});
