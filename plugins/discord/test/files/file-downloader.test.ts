import { ChannelError, type ChannelFetch, TransportError } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createFaultReport } from "../../src/fault-report.ts";
import { createFileDownloader } from "../../src/files/file-downloader.ts";

const FILE = { id: "100000000000000001/100000000000000002/100000000000000003", name: "oaks.txt" };
const SIGNED = "https://cdn.discordapp.com/attachments/1/3/oaks.txt?ex=1&hm=secret";
const request = { limitBytes: 10, signal: new AbortController().signal };

interface Scene {
  readonly message?: unknown;
  readonly apiBaseUrl?: string;
  readonly fetch?: ChannelFetch;
}

function answer(status: number, text: string): Awaited<ReturnType<ChannelFetch>> {
  return new Response(text, { status });
}

/** Downloads the file, and tells which addresses were called. */
async function download({ message = holding(SIGNED), apiBaseUrl = "https://discord.com/api", fetch }: Scene) {
  const called: string[] = [];
  const files = createFileDownloader({
    api: {
      call: async ({ route }) => {
        called.push(route);
        return message;
      },
    },
    config: { apiBaseUrl },
    fetch: async (url, part) => {
      called.push(url);
      expect(part).toMatchObject({ isStreamed: true, limitBytes: 10 });
      return fetch === undefined ? answer(200, "two oaks") : fetch(url, part);
    },
    reportFault: createFaultReport("MTA.x.y"),
  });
  const body = await files.download(FILE, request);
  return { called, text: await new Response(body).text() };
}

function holding(url: string): object {
  return { attachments: [{ id: "100000000000000003", url }] };
}

it("asks for the message anew, whose address is still good, and reads the file from there", async () => {
  const { called, text } = await download({});
  expect(called).toEqual(["/channels/100000000000000001/messages/100000000000000002", SIGNED]);
  expect(text).toBe("two oaks");
});

it("finds a file in a forwarded message, too", async () => {
  const message = { message_snapshots: [{ message: holding(SIGNED) }] };
  expect((await download({ message })).text).toBe("two oaks");
});

it("reads from the host of a server that stands in for Discord", async () => {
  const scene = { apiBaseUrl: "http://127.0.0.1:1/api", message: holding("http://127.0.0.1:2/oaks.txt") };
  expect((await download(scene)).text).toBe("two oaks");
});

describe("attack 15: an address of a file", () => {
  it.each([
    "http://cdn.discordapp.com/a",
    "https://cdn.discordapp.com.example.org/a",
    "https://user@169.254.169.254/latest/meta-data",
    "https://cdn.discordapp.com@127.0.0.1/a",
    "https://cdn.discordapp.com:22/a",
    "https://cdn.discordapp.com./a",
    "http://127.0.0.1/a",
    "https://127.0.0.1/a",
    "https://127.1/a",
    "https://2130706433/a",
    "https://0177.0.0.1/a",
    "https://0x7f.1/a",
    "https://0.0.0.0/a",
    "https://10.0.0.1/a",
    "https://localhost/a",
    "https://[::1]/a",
    "https://[::ffff:169.254.169.254]/a",
    "https://[fd00:ec2::254]/a",
    "file:///etc/passwd",
    "no address",
  ])("%s is not called", async (url) => {
    await expect(download({ message: holding(url) })).rejects.toMatchObject({ class: "permanent" });
  });
});

it.each([
  [404, "permanent"],
  [403, "permanent"],
  [503, "definite"],
])("tells a refusal with %i as %s, without the address", async (status, expected) => {
  const failed: unknown = await download({ fetch: async () => answer(status, "no") }).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    name: ChannelError.name,
    class: expected,
    message: expect.stringContaining("oaks.txt"),
  });
  expect(String(failed)).not.toContain("secret");
});

it("tells a loss, and what its message holds no more", async () => {
  const fetch = async () => {
    throw new TransportError("cdn.discordapp.com was called: no answer", { sent: true });
  };
  await expect(download({ fetch })).rejects.toMatchObject({ class: "ambiguous" });
  await expect(download({ message: { attachments: [] } })).rejects.toThrow("holds it no more");
  await expect(download({ message: "?" })).rejects.toThrow("holds it no more");
});
