import { describe, expect, it } from "vitest";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ThreadAccount } from "../timers/thread-account.ts";
import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

/** Ada asks for a sub-agent with a thread; the process dies before anything of it is written. */
async function openCutOff(): Promise<TreeDesk> {
  const threads = new ThreadAccount();
  const ports = createTestPorts({ faultPoint: (name) => void (name === "T1a.before" && desk.crash()) });
  const desk: TreeDesk = await new TreeDesk({ threads, ports }).start();
  await desk.says("/spawn --thread --label w work");
  return desk;
}

async function openNext(data: TreeDesk["data"], options: TreeDeskOptions): Promise<TreeDesk> {
  return new TreeDesk({ data, ...options }).plays(/^work/, () => "the result");
}

describe("a spawn with a thread that an earlier process left", () => {
  it("waits for the platform to be connected", async () => {
    const { data } = await openCutOff();
    const threads = new ThreadAccount();
    const connecting = Promise.withResolvers<void>();
    const desk = await openNext(data, { threads, connecting: connecting.promise });
    const started = desk.start();
    await desk.rest();
    expect(await desk.runs()).toEqual([]);
    connecting.resolve();
    await started;
    await desk.rest();
    expect(desk.heard()[0]).toMatch(/^🌱 \*\*w\*\* is at work/);
    expect(threads.done).toEqual(["open w"]);
  });

  it("is refused where that cannot be connected", async () => {
    const { data } = await openCutOff();
    const connecting = Promise.withResolvers<void>();
    const desk = await openNext(data, { threads: new ThreadAccount(), connecting: connecting.promise });
    const started = desk.start();
    connecting.reject(new Error("away"));
    await started;
    await desk.rest();
    const rows = await desk.store.read.deliveries({ limit: 9 });
    expect(rows.map(({ body }) => JSON.parse(body).text)).toEqual([expect.stringContaining("has no threads")]);
  });

  it("is left to the next start where the gateway stops meanwhile", async () => {
    const { data } = await openCutOff();
    const connecting = Promise.withResolvers<void>();
    const desk = await openNext(data, { threads: new ThreadAccount(), connecting: connecting.promise });
    const started = desk.start().catch((error: unknown) => error);
    await desk.rest();
    await desk.stop();
    connecting.resolve();
    await started;
    const threads = new ThreadAccount();
    const next = await openNext(data, { threads });
    await next.start();
    await next.rest();
    expect(threads.done).toEqual(["open w"]);
  });
});
