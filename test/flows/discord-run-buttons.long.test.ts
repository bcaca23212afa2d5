import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";

test("a sub-agent at work can be stopped below its message; the card of one that has ended leads to its thread and offers no stop", async () => {
  const { inGeneral, general, grove } = await openDiscordGrove();
  await inGeneral.uses("spawn", { task: "--label well dig a well" });
  const { messageId } = await inGeneral.hears(/🌱 .*well.* is at work/);
  const readLabels = async () => {
    const shown = (await inGeneral.messages()).find((one) => one.messageId === messageId);
    return readButtons(shown?.message.components);
  };
  const stop = await grove.until("a button", async () => (await readLabels())[0]);
  expect(stop.label).toBe("Stop");
  expect(await (await inGeneral.presses(messageId, stop.custom_id ?? "")).acknowledged()).toMatchObject({ type: 4 });
  await inGeneral.hears(/^Stopped \*?\*?well/, { once: true });
  await grove.until("the button to go", async () => ((await readLabels()).length === 0 ? true : undefined));

  await inGeneral.uses("spawn", { task: "--thread --label census count the trees" });
  const card = await inGeneral.hears(/heard: count the trees[\s\S]*✅ census/);
  const [thread] = await general.threads();
  const [open, ...others] = readButtons(card.message.components);
  expect(open).toMatchObject({ label: "Open thread", url: expect.stringContaining(`/${thread?.id}`) });
  expect(others).toEqual([]);
  await grove.rests();
});

function readButtons(components: unknown): readonly { label: string; url?: string; custom_id?: string }[] {
  const rows: { components: { label: string; url?: string; custom_id?: string }[] }[] = JSON.parse(
    JSON.stringify(components ?? []),
  );
  return rows[0]?.components ?? [];
}
