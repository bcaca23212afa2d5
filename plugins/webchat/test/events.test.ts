import { describe, expect, test } from "vitest";
import { TestChat } from "./test-chat.ts";

describe("reading along", () => {
  test("every reader sees the question and the answer, under the ids of the history", async () => {
    const chat = await TestChat.open();
    const readers = [await chat.listen(), await chat.listen()];
    await chat.post({ text: "hello", id: "m1" });
    expect(await chat.answers("hi")).toEqual({ platformId: "d1.0" });
    for (const reader of readers) {
      expect(await reader.hears(2)).toEqual(["message user m1 hello", "message assistant d1.0 hi"]);
    }
    const { body } = await chat.read();
    expect(body.messages?.map(({ id }) => id)).toEqual(["m1", "d1.0"]);
  });

  test("a stream has the type of server-sent events and is never kept by a cache", async () => {
    const chat = await TestChat.open();
    const { response } = await chat.listen();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("a line break in a text does not end an event", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    await chat.answers("a\n\nevent: message\ndata: {}\n\nb\r\u2028");
    await reader.frame();
    const frame = await reader.frame();
    expect(frame?.split("\n")).toHaveLength(2);
    expect(JSON.parse(frame?.split("\ndata: ")[1] ?? "").text).toBe("a\n\nevent: message\ndata: {}\n\nb\r\u2028");
  });

  test("a peer hears nothing of another one", async () => {
    const chat = await TestChat.open();
    const bob = await chat.listen("bob");
    await chat.post({ peer: "ada", text: "hello", id: "m1" });
    await chat.answers("hi bob", { peer: "bob" });
    expect(await bob.hears(1)).toEqual(["message assistant d1.0 hi bob"]);
  });

  test("what was received twice or refused is shown once or never", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    await chat.post({ text: "hello", id: "m1" });
    await chat.post({ text: "hello", id: "m1" });
    chat.refuses = "everything";
    await chat.post({ text: "more", id: "m2" });
    await chat.answers("hi");
    expect(await reader.hears(2)).toEqual(["message user m1 hello", "message assistant d1.0 hi"]);
  });

  test("an answer that is ready at once stands below its question", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    let sent: Promise<unknown> | undefined;
    chat.onStored = () => {
      sent = chat.answers("at once");
    };
    await chat.post({ text: "hello", id: "m1" });
    await sent;
    expect(await reader.hears(2)).toEqual(["message user m1 hello", "message assistant d1.0 at once"]);
  });

  test("an answer is sent also when nobody reads", async () => {
    const chat = await TestChat.open();
    expect(await chat.answers("hi", { part: 2 })).toEqual({ platformId: "d1.2" });
  });
});

describe("a growing answer", () => {
  test("is shown at once, then at most twenty times a second, with its end", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    for (const textSoFar of ["a", "ab", "abc"]) chat.grows(textSoFar);
    chat.clock.advance(50);
    chat.grows("abcd");
    chat.clock.advance(49);
    chat.clock.advance(1);
    chat.clock.advance(1_000);
    chat.grown();
    expect(await reader.hears(4)).toEqual(["progress t1 a", "progress t1 abc", "progress t1 abcd", "progress_end t1"]);
    expect(chat.clock.pending).toBe(1);
  });

  test("a long one is shown less often", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    chat.grows("a".repeat(40_000));
    await reader.hears(1);
    chat.grows("b");
    chat.clock.advance(99);
    chat.grows("c");
    chat.clock.advance(1);
    expect(await reader.hears(1)).toEqual(["progress t1 c"]);
  });

  test("a reader who comes late is told what there is so far", async () => {
    const chat = await TestChat.open();
    chat.grows("half of");
    chat.grows("half of it");
    expect(await (await chat.listen()).hears(1)).toEqual(["progress t1 half of it"]);
    chat.grown();
    const late = await chat.listen();
    await chat.answers("all of it");
    expect(await late.hears(1)).toEqual(["message assistant d1.0 all of it"]);
  });

  test("of turns beyond the limit nothing is kept", async () => {
    const chat = await TestChat.open();
    for (let turn = 0; turn < 1_001; turn += 1) chat.grows("a", `t${turn}`);
    const reader = await chat.listen();
    chat.grown("t0");
    const heard = await reader.hears(1_001);
    expect(heard.at(-2)).toBe("progress t999 a");
    expect(heard.at(-1)).toBe("progress_end t0");
  });
});

describe("limits", () => {
  test("a reader who does not read is cut, and the others read on", async () => {
    const chat = await TestChat.open();
    const slow = await chat.listen();
    const quick = await chat.listen();
    const text = "x".repeat(300_000);
    for (let n = 0; n < 6; n += 1) {
      await chat.answers(text, { deliveryId: `d${n}` });
      expect(await quick.hears(1)).toEqual([`message assistant d${n}.0 ${text}`]);
    }
    expect(await slow.hears(1)).toEqual(["(end)"]);
    expect((await (await chat.listen()).frame())?.startsWith(":")).toBe(true);
  });

  test("a slow reader misses progress before it misses anything that counts", async () => {
    const chat = await TestChat.open();
    const slow = await chat.listen();
    for (let n = 1; n <= 100; n += 1) {
      chat.grows("x".repeat(10_000) + n);
      chat.clock.advance(50);
    }
    await chat.answers("done");
    const heard = await slow.hears(8);
    expect(heard.at(-1)).toBe("message assistant d1.0 done");
  });

  test("the 101st reader is told to wait, and gets in when one has left", async () => {
    const chat = await TestChat.open();
    const readers = [];
    for (let n = 0; n < 100; n += 1) readers.push(await chat.listen(`peer${n % 3}`));
    const refused = await chat.listen();
    expect(refused.status).toBe(503);
    expect(refused.response.headers.get("retry-after")).toBe("2");
    await readers[50]?.leaves();
    expect((await chat.listen()).status).toBe(200);
  });

  test("a bad peer is 400", async () => {
    const chat = await TestChat.open();
    expect((await chat.listen("")).status).toBe(400);
  });
});

describe("pings", () => {
  test("come every 15 s, and end with the last reader", async () => {
    const chat = await TestChat.open();
    const reader = await chat.listen();
    await reader.frame();
    chat.clock.advance(15_000);
    chat.clock.advance(15_000);
    expect([await reader.frame(), await reader.frame()]).toEqual([":", ":"]);
    await reader.leaves();
    chat.clock.advance(15_000);
    expect(chat.clock.pending).toBe(0);
  });
});

describe("the end", () => {
  test.each(["closed", "aborted"])(
    "when the account is %s, streams end, the mount goes and no timer is left",
    async (how) => {
      const chat = await TestChat.open();
      const reader = await chat.listen();
      chat.grows("half of");
      await reader.hears(1);
      if (how === "aborted") chat.stopping.abort();
      await chat.connection.close();
      expect(await reader.hears(1)).toEqual(["(end)"]);
      expect(chat.mounts).toEqual([]);
      expect(chat.clock.pending).toBe(0);
    },
  );
});
