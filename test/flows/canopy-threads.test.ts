import { createPorts, createTransport } from "@banyan/core";
import {
  type ChannelContext,
  type ChannelError,
  formatAddress,
  type LifecycleHooks,
  type ThreadsAbility,
} from "@banyan/plugin-sdk";
import { expect, onTestFinished, test } from "vitest";
import canopy, { type CanopyConfig } from "../stage/canopy-channel.ts";
import { openCanopyPlatform } from "../stage/canopy-town.ts";

const GROVE = formatAddress({ channel: "canopy", account: "default", kind: "group", chat: "grove" });
const THREAD = formatAddress({ channel: "canopy", account: "default", kind: "group", chat: "grove", thread: "t1" });
const CENSUS = { bindingId: "b1", parent: GROVE, name: "census", hello: "🌱" };

/** The stranger's plugin on its own, as the host connects it. */
async function openThreads(): Promise<{
  platform: Awaited<ReturnType<typeof openCanopyPlatform>>;
  threads: ThreadsAbility;
}> {
  const platform = await openCanopyPlatform();
  const { clock, log } = createPorts({
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const transport = createTransport();
  const stopping = new AbortController();
  onTestFinished(() => {
    stopping.abort();
    transport.close();
  });
  const none = { tap: () => () => undefined, tapPromise: () => () => undefined };
  const hooks: LifecycleHooks = new Proxy<LifecycleHooks>(JSON.parse("{}"), { get: () => none });
  const context: ChannelContext<CanopyConfig> = {
    config: { url: platform.url, taps: [] },
    account: "default",
    cursor: undefined,
    hooks,
    log,
    clock,
    needsAllMessages: false,
    threadFallback: "reply",
    commands: [],
    signal: stopping.signal,
    fetch: transport.fetch,
    http: { mount: () => () => undefined },
    receive: async (messages) => messages.map(() => "stored"),
    migrateChat: async () => undefined,
    threadGone: async () => undefined,
    findDelivered: async () => new Set(),
    suggestTargets: async () => [],
    history: async () => [],
    report: () => undefined,
  };
  const { threads } = await canopy.connect(context);
  if (threads === undefined) throw new Error("The canopy was connected: it has no threads");
  return { platform, threads };
}

const classOf = (error: ChannelError) => error.class;

test("a thread is opened once for its binding, also where the answer was lost", async () => {
  const { platform, threads } = await openThreads();
  platform.fail("open", "lost");
  expect(await threads.open(CENSUS).catch(classOf)).toBe("ambiguous");
  expect(await threads.open(CENSUS)).toEqual({ address: THREAD });
  expect(platform.record.threads).toMatchObject([{ bindingId: "b1", name: "census", hello: "🌱", opens: 2 }]);
});

test("a thread is archived under its last name, and gone when it was deleted", async () => {
  const { platform, threads } = await openThreads();
  await threads.open(CENSUS);
  const closing = { bindingId: "b1", address: THREAD, name: "✅ census", goodbye: "It is done." };
  for (let times = 0; times < 2; times += 1) await threads.archive(closing);
  expect(await threads.probe(THREAD)).toBe("archived");
  expect(platform.record.threads).toMatchObject([{ name: "✅ census" }]);
  expect(platform.record.messages).toMatchObject([{ text: "It is done.", repeats: 0 }]);
  platform.record.deleteThread("t1");
  expect(await threads.probe(THREAD)).toBe("gone");
  expect(await threads.archive({ bindingId: "b1", address: THREAD }).catch(classOf)).toBe("thread_gone");
});

test("an opening that was cut off is taken back, whether or not it had an effect", async () => {
  const { platform, threads } = await openThreads();
  await threads.withdraw(CENSUS);
  platform.fail("open", "lost");
  expect(await threads.open(CENSUS).catch(classOf)).toBe("ambiguous");
  for (let times = 0; times < 2; times += 1) await threads.withdraw(CENSUS);
  expect(platform.record.threads).toMatchObject([{ bindingId: "b1", state: "gone" }]);
});

test("a platform that refuses or is closed says so", async () => {
  const { platform, threads } = await openThreads();
  platform.fail("open", 403);
  expect(await threads.open(CENSUS).catch(classOf)).toBe("permanent");
  platform.fail("open", 503);
  expect(await threads.open(CENSUS).catch(classOf)).toBe("definite");
  platform.fail("open", "cut");
  expect(await threads.open(CENSUS).catch(classOf)).toBe("ambiguous");
  expect(platform.record.threads).toEqual([]);
});
