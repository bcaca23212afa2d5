/** The last edit of a process that died comes to Telegram when the next one has edited, too. */
import assert from "node:assert/strict";
import { CrashWorld } from "./crash-world.ts";

const PATIENCE_MS = 120_000;
/** The 20 s in which the old edit may still come are so many times shorter. */
const HURRY = 4;
const CONFIG = { agents: { main: { runtime: "tree", default: true } } };
const RESULT = /^✅ walk · done in [\s\S]*a tree that grows\s+until it is told$/;
const ANSWER = /^a tree that grows\s+until it is told$/;

/** A status edit stands at Telegram's door while the process dies, and is taken behind the next one's result. */
export async function tellLateStatus(): Promise<void> {
  await inWorld(CONFIG, "/spawn --label walk grow", RESULT, async (world) => {
    // What it says is wrong as long as the old edit may come; then it says the end.
    await world.ada.hears("✅ walk is done.", { timeoutMs: PATIENCE_MS });
  });
}

/** The same of an edit that shows how an answer grows. */
export async function tellLateGrowth(): Promise<void> {
  const channels = { telegram: { accounts: { default: { growingAnswers: "edits" } } } };
  await inWorld({ ...CONFIG, channels }, "grow", ANSWER, async () => undefined);
}

async function inWorld(
  config: object,
  says: string,
  result: RegExp,
  ends: (world: CrashWorld) => Promise<void>,
): Promise<void> {
  const world = await CrashWorld.open([], config, HURRY);
  try {
    const late = await world.telegram.faults.hold({ method: "editMessageText", at: "request", skip: 0, times: 1 });
    await world.ada.says(says);
    const gateway = await world.start();
    await late.reached(1, PATIENCE_MS);
    gateway.signal("SIGKILL");
    await gateway.died("an edit at the door");
    await world.start();
    await world.ada.hears(({ text }) => result.test(text), { timeoutMs: PATIENCE_MS });
    await late.release();
    await ends(world);
    await world.rests();
    const messages = (await world.ada.messages()).map(({ text }) => text);
    const copies = messages.filter((text) => result.test(text));
    assert.equal(
      copies.length,
      1,
      `the result stands there ${copies.length} times\n${messages.join("\n")}\n${world.log}`,
    );
    assert.ok(!messages.some((text) => text.startsWith("🌱")), `a status is out of date\n${messages.join("\n")}`);
    await world.stop();
  } finally {
    await world.close();
  }
}
