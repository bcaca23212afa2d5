import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { readTranscript } from "../stage/transcript.ts";

const WEB = "agent:main:webchat:dm:ada";

test.each([
  ["by HTTP", ["--http"]],
  ["by the bridge", []],
])("a foreign agent sees its tools and spawns a sub-agent through them, %s", async (_way, args) => {
  const agent = createAcpAgent(args);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("tools");
  await ada.hears(/sessions_spawn/);
  await ada.says('call sessions_spawn {"task":"say the roots hold"}');
  await ada.hears(/accepted/);
  const heard = () => agent.journal().flatMap((line) => (Array.isArray(line.prompt) ? [line.prompt.join("\n")] : []));
  await grove.until("the sub-agent to be asked", () => heard().find((prompt) => /^say the roots hold$/m.test(prompt)));
  await grove.until("its result to be told", () => heard().find((prompt) => /^the roots hold$/m.test(prompt)));
  expect((await readTranscript(grove, WEB)).filter((line) => line.includes("sessions_spawn"))).not.toEqual([]);
});
