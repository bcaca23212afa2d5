import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";

/** Serves this text wherever it is asked, and notes where that was. */
async function openFileHost(text: string): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((call, answer) => {
    asked.push(call.url ?? "");
    answer.end(text);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A file host was opened: it has no port");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

test("a person sends a text file on Discord and has its words counted", async () => {
  const { inDm, env, channels } = await openDiscord();
  const host = await openFileHost("two öld oaks");
  const grove = await openGrove({ env, config: { channels } });
  const oaks = {
    filename: "oaks.txt",
    contentType: "text/plain",
    sizeBytes: 13,
    url: `${host.url}/oaks.txt?hm=secret`,
  };
  await inDm.says("count words", { attachments: [oaks] });
  await inDm.hears("oaks.txt has 3 words.", { once: true });
  await inDm.says("count words in it");
  await inDm.hears("oaks.txt has 3 words.");
  expect(host.asked).toEqual(["/oaks.txt?hm=secret"]);
  await inDm.says("count words", { attachments: [{ ...oaks, sizeBytes: 30 * 1024 * 1024 }] });
  await inDm.hears(/^I can't fetch oaks\.txt: .*larger than the 20971520 bytes/);
  await grove.rests();
});

test("the agent sends a file of its workspace on Discord, before its answer", async () => {
  const { discord, inDm, env, channels } = await openDiscord();
  const grove = await openGrove({ env, config: { channels }, files: { "oaks.txt": "two öld oaks" } });
  // The web chat's server brings requests of its own kind along.
  await grove.web("operator").says("hello");
  await inDm.says("send oaks.txt");
  await inDm.hears("There you are: oaks.txt.", { once: true });
  await grove.rests();
  const [file, answer] = await inDm.messages();
  expect([file?.text, answer?.text]).toEqual(["", "There you are: oaks.txt."]);
  const sends = await discord.record({ route: "POST /channels/:channel/messages" });
  expect(sends.flatMap(({ files }) => files)).toEqual(["oaks.txt"]);
});
