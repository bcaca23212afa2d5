import { describe, expect, test } from "vitest";
import { listShownTexts, type ShownText } from "./shown-text.ts";

interface Pair {
  /** Gone from the product. */
  readonly before: RegExp;
  /** What the product's texts hold instead, each in one of them; `…` takes the place of a value. */
  readonly after: readonly string[];
}

/** The measure for every sentence that a person reads: short, standard words, what happened, what to do. */
const PAIRS: readonly Pair[] = [
  { before: /nothing has been said yet/i, after: ["No messages yet. Try “count words in docs”."] },
  { before: /I am a program and no language model/i, after: ["I'm the demo agent and know only a few commands."] },
  {
    before: /where I may start sub-agents/i,
    after: ["Counting, slow and fail run in sub-agents. Prefix work to run them here"],
  },
  { before: /stop the answer that is being made/i, after: ["stop the current response"] },
  { before: /send again what of a result/i, after: ["resend undelivered parts of a result"] },
  { before: /what waits here, and what a message does/i, after: ["show or change the message queue"] },
  {
    before: /where the agent can, else|beyond that/i,
    after: ["`steer` (fallback: `followup`)", "Max … queued, then …."],
  },
  { before: /this chat takes no files/i, after: ["This chat can't receive files. … is in the workspace."] },
  {
    before: /no channel plugin binds threads|leave --thread out/i,
    after: ["… has no threads", "omit `--thread`"],
  },
  {
    before: /the model … was asked|write again to go on/i,
    after: ["… rejected the API key (…). Fix it, then retry.", "OpenAI"],
  },
  { before: /the server was opened on|another program uses the port/i, after: ["Port … is already in use"] },
  { before: /process … writes there/i, after: ["Another process… uses this directory", " (PID …)"] },
  { before: /not valid JSON|correct it there/i, after: ["Invalid JSON at …", "line …, column …"] },
  { before: /of the wrong kind|write a text/i, after: ["must be …", "a string", " (got …)"] },
  { before: /not a value that is known/i, after: ["must be …", "… or …"] },
  { before: /is not installed, received/i, after: ["Plugin … is not installed"] },
  {
    before: /a stranger was looked up|nobody has the code/i,
    after: ["No pending request for …; the code may have expired."],
  },
  { before: /a delivery was looked up|none begins with/i, after: ["No delivery matches …"] },
  {
    before: /there is a configuration already|writes it anew/i,
    after: ["setting up: … exists; …", "--force changes it, and keeps the other keys and a copy"],
  },
  { before: /nothing was logged there yet/i, after: ["No log yet. Run `banyan start`."] },
  { before: /ends it at once/i, after: ["…… Ctrl-C again to force quit.", "Finishing …"] },
  { before: /keep a stranger out|he is told nothing/i, after: ["reject or remove a user silently"] },
  { before: /this page needs its key/i, after: ["Access token required. "] },
  { before: /I can go no deeper|this deep no sub-agent/i, after: ["depth limit reached (maxSpawnDepth …)"] },
  { before: /no answer is a no/i, after: ["Only … can answer, within …; then it counts as Deny."] },
];

const texts: readonly ShownText[] = listShownTexts();

test("there are 25 pairs, and texts to hold them against", () => {
  expect(PAIRS).toHaveLength(25);
  expect(texts.length).toBeGreaterThan(1_000);
});

describe.each(PAIRS)("$before", ({ before, after }) => {
  test("is said nowhere", () => {
    const left = texts.filter(({ text }) => before.test(text)).map(({ path, line }) => `${path}:${line}`);
    expect(left).toEqual([]);
  });

  test.each(after)("is said as: %s", (said) => {
    expect(texts.some(({ text }) => text.includes(said))).toBe(true);
  });
});
