import { expect, test } from "vitest";
import { createPlaceDirectory } from "../../src/places/place-directory.ts";

const GUILD = "900";

function openDirectory() {
  const asked: string[] = [];
  const directory = createPlaceDirectory({
    read: async (channelId) => {
      asked.push(channelId);
      if (channelId === "404") return undefined;
      return { place: { kind: "thread", channelId, parentId: "1", guildId: GUILD }, type: 11 };
    },
  });
  return { asked, directory };
}

test("what the gateway tells of a channel is not asked for again", async () => {
  const { asked, directory } = openDirectory();
  directory.note({ place: { kind: "channel", channelId: "1", guildId: GUILD }, type: 0 });
  expect(await directory.find("1", GUILD)).toEqual({ kind: "channel", channelId: "1", guildId: GUILD });
  expect(await directory.find("2", undefined)).toEqual({ kind: "dm", channelId: "2" });
  expect(asked).toEqual([]);
});

test("a thread that nobody told of is asked for once, and known below its channel until it is gone", async () => {
  const { asked, directory } = openDirectory();
  for (let times = 0; times < 3; times += 1) expect((await directory.find("7", GUILD)).kind).toBe("thread");
  expect(asked).toEqual(["7"]);
  expect(directory.listThreads("1").map(({ channelId }) => channelId)).toEqual(["7"]);
  directory.forget("7");
  expect(directory.listThreads("1")).toEqual([]);
});

test("where Discord does not let the bot look a message has a channel all the same", async () => {
  const { asked, directory } = openDirectory();
  expect(await directory.find("404", GUILD)).toEqual({ kind: "channel", channelId: "404", guildId: GUILD });
  await directory.find("404", GUILD);
  expect(asked).toEqual(["404"]);
});

test("twenty thousand channels are known at a time: the one that was told of longest ago is asked for again", async () => {
  const { asked, directory } = openDirectory();
  for (let channel = 1_000; channel <= 21_000; channel += 1)
    directory.note({ place: { kind: "channel", channelId: String(channel), guildId: GUILD }, type: 0 });
  await directory.find("21000", GUILD);
  await directory.find("1001", GUILD);
  expect(asked).toEqual([]);
  await directory.find("1000", GUILD);
  expect(asked).toEqual(["1000"]);
});
