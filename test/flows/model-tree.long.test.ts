import { type ChatRequest, findLastSaid, listToolResults, type ModelScript, readText } from "@banyan/emulator-model";
import { expect, test } from "vitest";
import type { Grove } from "../stage/grove.ts";
import { openModelGrove } from "../stage/model-grove.ts";
import { readTranscript } from "../stage/transcript.ts";

const ADA = "agent:main:webchat:dm:ada";
const FIGS = { task: "count the figs", label: "figs", model: "grove/large" };
const NUTS = { task: "count the nuts", label: "nuts", model: "grove/large" };

/** The results of sub-agents that a request holds, oldest first. */
function listCompletions({ messages }: ChatRequest): readonly string[] {
  return messages.flatMap((message) => readText(message).match(/\d+ (?:figs|nuts)(?=\.\nresult>>>)/gu) ?? []);
}

/** What its children say. */
function answerChild(request: ChatRequest): { readonly text: string } {
  return { text: findLastSaid(request).includes("figs") ? "42 figs." : "17 nuts." };
}

function awaitRuns({ until, read }: Grove, state: string, count = 1) {
  return until(`${count} runs to be ${state}`, async () => {
    const runs = await read((reads) => reads.runs({ limit: 9 }));
    return runs.filter((run) => run.state === state).length === count ? runs : undefined;
  });
}

test("a child's result reaches its busy parent in the middle of its turn, which answers with it", async () => {
  const script: ModelScript = (request) => {
    if (request.model === "large") return answerChild(request);
    const [found] = listCompletions(request);
    if (found !== undefined) return { text: `There are ${found}.` };
    const isFirst = listToolResults(request).length === 0;
    return { calls: [isFirst ? { name: "sessions_spawn", args: FIGS } : { name: "list_files", args: {} }] };
  };
  const { server, grove } = await openModelGrove(script);
  const ada = grove.web("ada");
  const gate = server.hold({ model: "small", skip: 1 });
  await ada.says("how many figs are there?");
  await gate.reached();
  await awaitRuns(grove, "ended");
  await gate.release();
  await ada.hears(/There are 42 figs\./);
  await grove.rests();
  const lines = await readTranscript(grove, ADA);
  expect(lines.filter((line) => /^(?:completion|assistant)/.test(line))).toEqual([
    expect.stringMatching(/^completion/),
    "assistant: There are 42 figs.",
  ]);
  expect(await grove.read((read) => read.runs({ limit: 9 }))).toMatchObject([{ settledBy: "parent" }]);
});

test("two children's results come to their parent, each once, and it waits for both", async () => {
  const script: ModelScript = (request) => {
    if (request.model === "large") return answerChild(request);
    const found = new Set(listCompletions(request));
    if (found.size === 2) return { text: `Both: ${[...found].toSorted().join(" and ")}.` };
    if (found.size === 1) return { text: "NO_REPLY" };
    if (listToolResults(request).length > 0) return { text: "They are at it." };
    return { calls: [FIGS, NUTS].map((args) => ({ name: "sessions_spawn", args })) };
  };
  const { server, grove } = await openModelGrove(script);
  const ada = grove.web("ada");
  const gate = server.hold({ model: "large" });
  await ada.says("count figs and nuts");
  await ada.hears("They are at it.");
  await gate.release();
  await ada.hears(/Both: 17 nuts and 42 figs\./);
  await grove.rests();
  const told = (await readTranscript(grove, ADA)).filter((line) => line.startsWith("completion"));
  expect(told).toHaveLength(2);
});

test("a model steers its child, which hears it at its next step", async () => {
  const script: ModelScript = (request) => {
    const said = findLastSaid(request);
    if (request.model === "large")
      return said.includes("only the ripe") ? { text: "9 figs." } : { calls: [{ name: "list_files", args: {} }] };
    if (listCompletions(request).length > 0) return { text: `There are ${listCompletions(request)[0]}.` };
    const direct = (args: object) => ({ calls: [{ name: "subagents", args }] });
    if (listToolResults(request).length > 0) return { text: listToolResults(request).join("\n") };
    if (said === "begin") return { calls: [{ name: "sessions_spawn", args: FIGS }] };
    return said === "steer" ? direct({ action: "steer", target: "figs", text: "only the ripe" }) : { text: "?" };
  };
  const { server, grove } = await openModelGrove(script);
  const ada = grove.web("ada");
  const gate = server.hold({ model: "large", skip: 1 });
  await ada.says("begin");
  await ada.hears(/accepted/);
  await gate.reached();
  await ada.says("steer");
  await ada.hears(/"status":"sent"/);
  await gate.release();
  await ada.hears(/There are 9 figs\./);
  await grove.rests();
});

test("under interrupt a new message stops a model in its answer, and it sees what it had said", async () => {
  const { server, grove } = await openModelGrove(
    (request) =>
      findLastSaid(request).includes("never mind")
        ? { text: request.messages.map(readText).join(" | ") }
        : { text: ["Once ", "upon ", "a time."] },
    { config: { queue: { mode: "interrupt" } } },
  );
  const ada = grove.web("ada");
  const gate = server.hold({ afterChunks: 3, times: 1 });
  await ada.says("tell me a story");
  await gate.reached();
  await ada.says("never mind");
  await ada.hears(/tell me a story \| Once upon .*never mind/su);
  await gate.release();
  expect(server.asked.map(({ end }) => end)).toEqual(["left", "answered"]);
});

test("a gateway that stops while a child's model answers tells the result once", async () => {
  const script: ModelScript = (request) => {
    if (request.model === "large") return answerChild(request);
    const [found] = listCompletions(request);
    if (found !== undefined) return { text: `There are ${found}.` };
    if (listToolResults(request).length > 0) return { text: "I have asked somebody." };
    return { calls: [{ name: "sessions_spawn", args: FIGS }] };
  };
  const { server, grove } = await openModelGrove(script);
  const ada = grove.web("ada");
  const gate = server.hold({ model: "large" });
  await ada.says("how many figs are there?");
  await ada.hears("I have asked somebody.");
  await gate.reached();
  await grove.restart();
  await gate.release();
  await ada.hears(/There are 42 figs\./);
  await grove.rests();
  expect((await ada.lines()).filter((line) => line.includes("There are 42"))).toHaveLength(1);
  expect((await readTranscript(grove, ADA)).filter((line) => line.startsWith("completion"))).toHaveLength(1);
});
