import { findLastSaid, listToolResults, type ModelScript, readText } from "@banyan/emulator-model";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { GROVE_KEY, openModelGrove } from "../stage/model-grove.ts";
import { readTranscript } from "../stage/transcript.ts";
import type { WebPerson } from "../stage/web-person.ts";

const ADA = "agent:main:webchat:dm:ada";

test("a model's answer grows in the web chat and arrives once", async () => {
  const { server, grove } = await openModelGrove(() => ({ text: ["Once ", "upon ", "a time."] }));
  const ada = grove.web("ada");
  const gate = server.hold({ afterChunks: 3 });
  await ada.says("tell me a story");
  await gate.reached();
  expect(await readGrowth(ada, grove.open)).toContain("Once upon");
  await gate.release();
  await ada.hears("Once upon a time.");
  expect(await ada.lines()).toEqual(["user: tell me a story", "assistant: Once upon a time."]);
});

test("a model reads a file and remembers in the next turn what was said", async () => {
  const script: ModelScript = (request) => {
    if (findLastSaid(request) === "what did I ask?") return { text: request.messages.map(readText).join(" | ") };
    const [found] = listToolResults(request);
    if (found === undefined) return { calls: [{ name: "read_file", args: { path: "notes.md" } }] };
    return { text: found.includes("a fig") ? "It says: a fig." : found };
  };
  const { grove } = await openModelGrove(script, { files: { "notes.md": "a fig\n" } });
  const ada = grove.web("ada");
  await ada.says("what is in notes.md?");
  await ada.hears("It says: a fig.");
  expect(await readTranscript(grove, ADA)).toEqual([
    "user: what is in notes.md?",
    "tool_call: read_file",
    expect.stringMatching(/^tool_result: read_file .*a fig/su),
    "assistant: It says: a fig.",
  ]);
  await ada.says("what did I ask?");
  await ada.hears(/what is in notes\.md\? \| {2}\| .*a fig.* \| It says: a fig\. \| what did I ask\?$/su);
});

test("a model spawns a sub-agent with a model of its own, and its completion is told", async () => {
  const script: ModelScript = (request) => {
    const said = findLastSaid(request);
    if (said.startsWith("The sub-agent")) return { text: `It is back: ${/\d+ figs/u.exec(said)?.[0]}.` };
    if (said === "count the figs") return { text: "There are 42 figs." };
    if (listToolResults(request).length > 0) return { text: "I have asked somebody." };
    const child = { task: "count the figs", label: "figs", model: "grove/large", thinking: "high" };
    return { calls: [{ name: "sessions_spawn", args: child }] };
  };
  const { grove, server } = await openModelGrove(script);
  const ada = grove.web("ada");
  await ada.says("how many figs are there?");
  await ada.hears("I have asked somebody.");
  await ada.hears(/It is back: 42 figs\./);
  await grove.rests();
  expect((await ada.lines()).filter((line) => line.includes("It is back"))).toHaveLength(1);
  const asked = server.asked.map(({ request }) => [request.model, request.reasoning_effort]);
  expect(asked.filter(([model]) => model === "large")).toEqual([["large", "high"]]);
});

test("a rate limit and a broken stream are not the person's business", async () => {
  const { server, grove } = await openModelGrove((request) =>
    request.messages.some((message) => readText(message).includes("go on right after"))
      ? { text: "a time." }
      : { text: ["Once ", "upon ", "a tim"] },
  );
  server.fault({ kind: "refuse", status: 429, retryAfterS: 2 });
  server.fault({ kind: "break", afterChunks: 3 });
  const ada = grove.web("ada");
  await ada.says("tell me a story");
  await ada.hears("Once upon a time.");
  expect(server.asked.map(({ end }) => end)).toEqual(["refused", "cut", "answered"]);
  expect(await ada.lines()).toHaveLength(2);
});

test("stop ends a model in the middle of its answer, and it knows so in the next turn", async () => {
  const { server, grove } = await openModelGrove((request) =>
    findLastSaid(request) === "go on"
      ? { text: request.messages.map(readText).join(" | ") }
      : { text: ["Once ", "upon ", "a time."] },
  );
  const ada = grove.web("ada");
  const gate = server.hold({ afterChunks: 3 });
  await ada.says("tell me a story");
  await gate.reached();
  await ada.says("/stop");
  await ada.hears("Stopped. What was said so far is kept.");
  expect(await grove.until("the model to be left", () => server.asked[0]?.end)).toBe("left");
  await gate.release();
  await ada.says("go on");
  await ada.hears(/tell me a story \| Once upon {2}\| go on$/u);
});

test("what is said while a model works is heard by it at its next step, and has no turn of its own", async () => {
  const { server, grove } = await openModelGrove((request) =>
    findLastSaid(request) === "that will do" ? { text: "I stop." } : { calls: [{ name: "list_files", args: {} }] },
  );
  const ada = grove.web("ada");
  const gate = server.hold({ skip: 1 });
  await ada.says("look around until I stop you");
  await gate.reached();
  await ada.says("that will do");
  await gate.release();
  await ada.hears("I stop.");
  await grove.rests();
  expect(await ada.lines()).toEqual(["user: look around until I stop you", "user: that will do", "assistant: I stop."]);
});

test("a gateway that stops between a tool and the answer goes on behind the tool", async () => {
  const script: ModelScript = (request) =>
    listToolResults(request).length === 0
      ? { calls: [{ name: "list_files", args: {} }] }
      : { text: `I have looked ${listToolResults(request).length} time.` };
  const { server, grove } = await openModelGrove(script);
  const ada = grove.web("ada");
  const gate = server.hold({ skip: 1 });
  await ada.says("look around");
  await gate.reached();
  await grove.restart();
  await gate.release();
  await ada.hears("I have looked 1 time.");
  expect((await readTranscript(grove, ADA)).filter((line) => line.startsWith("tool_call"))).toHaveLength(1);
});

test("a refused key is said with what to do, and stands nowhere", async () => {
  const { server, grove } = await openModelGrove(() => ({ text: `Your key is ${GROVE_KEY}.` }));
  const ada = grove.web("ada");
  server.fault({ kind: "refuse", status: 401, message: `Incorrect API key provided: ${GROVE_KEY}` });
  await ada.says("hello");
  await ada.hears(
    "⚠ grove rejected the API key (401). Fix it, then retry. Your message is kept; write again to continue.",
  );
  await ada.says("what is your key?");
  const { text } = await ada.hears(/^Your key is/u);
  await grove.stop();
  expect([text, ...grove.log, ...(await readTranscript(grove, ADA))].join("\n")).not.toContain(GROVE_KEY);
});

test("an address and a key in the environment are enough", async () => {
  const { server } = await openModelGrove((request) => ({ text: `I am ${request.model}.` }));
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: GROVE_KEY };
  const ada = (await openGrove({ env })).web("ada");
  await ada.says("who are you?");
  await ada.hears("I am grove-1.");
});

/** The first growth of an answer that the event stream tells of. */
async function readGrowth(
  person: WebPerson,
  { gateway, token }: { gateway: { url: string }; token: string },
): Promise<string> {
  const leave = new AbortController();
  const response = await fetch(`${gateway.url}/api/webchat/events?peer=${person.peer}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/event: progress\n.*\n\n/u.test(text)) break;
  }
  leave.abort();
  return text;
}
