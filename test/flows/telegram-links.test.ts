import { say } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

test.each([
  ["200 links, one on each line,", 200, "\n", (at: number) => `https://e.org/${at}`],
  ["200 links in one line", 200, ", ", (at: number) => `https://e.org/${at}`],
  ["links that are too large for one message", 60, "\n", (at: number) => `https://e.org/${"樹".repeat(25)}/${at}`],
])(
  "%s reach a chat as links, each once and in order, in as many messages as they take",
  async (_what, count, gap, url) => {
    const numbers = Array.from({ length: count }, (_, at) => at);
    const answer = numbers.map((at) => `[tree ${at}](${url(at)})`).join(gap);
    const agent = createScriptedAgent(() => say(answer));
    const { telegram, env } = await openTelegram([7]);
    const grove = await openGrove({ ...agent, env });
    const ada = await telegram.user({ id: 7, firstName: "Ada" });
    await ada.says("which trees?");
    await ada.hears(new RegExp(`tree ${count - 1}$`));
    await grove.rests();
    const said = (await ada.messages()).filter(({ author }) => author === "bot");
    const links = said.flatMap(({ text, entities }) =>
      entities.flatMap((entity) =>
        entity.type === "text_link" ? [[text.slice(entity.offset, entity.offset + entity.length), entity.url]] : [],
      ),
    );
    expect(links).toEqual(numbers.map((at) => [`tree ${at}`, new URL(url(at)).href]));
    const calls = await telegram.record({ method: "sendMessage" });
    expect(calls.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
  },
);
