import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { StoreError } from "@banyan/plugin-sdk/store";
import { describe, expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** A module whose fault point throws at one name, which ends the worker that calls it. */
function writeFaultPoint(folder: string, name: string): string {
  const path = join(folder, "fault-point.mjs");
  writeFileSync(
    path,
    `export default (name) => { if (name === ${JSON.stringify(name)}) throw new Error("killed at " + name); };`,
  );
  return pathToFileURL(path).href;
}

describe("when the worker dies", () => {
  test("steps on their way reject as unknown, later ones as closed, and the failure is told once", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    const sent = Array.from({ length: 600 }, (_, index) => store.commit(buildReceive(`m${index}`)));
    const outcomes = Promise.allSettled(sent);
    await Promise.resolve();
    await store.terminateWriter();
    const codes = (await outcomes).map((outcome) =>
      outcome.status === "fulfilled" ? "done" : Reflect.get(outcome.reason, "code"),
    );
    expect(new Set(codes)).toContain("commit_unknown");
    expect(codes.every((code) => code === "done" || code === "commit_unknown")).toBe(true);
    expect(failures).toMatchObject([{ code: "unusable" }]);
    await expect(store.commit(buildReceive("later"))).rejects.toMatchObject({ code: "closed" });
    await store.close();

    const next = await openTestStore({ stateDir });
    const again = await next.commit(buildReceive("m0"));
    expect(again).toMatchObject({ status: "done", items: [{ seq: 1 }] });
  });

  test.each([
    { name: "store.commit.before", answer: { status: "done", revision: 1 } },
    { name: "store.commit.after", answer: { status: "already", revision: 1 } },
  ])("at $name, the same step sent again is $answer.status", async ({ name, answer }) => {
    const stateDir = createTemporaryFolder();
    const faultPointModule = writeFaultPoint(stateDir, name);
    const store = await openTestStore({ stateDir, faultPointModule });
    const failed = new Promise<StoreError>((resolve) => store.onFailure(resolve));
    await expect(store.commit(buildWriteSession("w1"))).rejects.toMatchObject({ code: "commit_unknown" });
    expect((await failed).message).toContain(`killed at ${name}`);
    await store.close();

    const next = await openTestStore({ stateDir });
    expect(await next.commit(buildWriteSession("w1"))).toEqual(answer);
    expect(await next.read.session(adaKey)).toMatchObject({ revision: 1 });
  });

  test("who asks for failures afterwards is told too", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder() });
    await store.terminateWriter();
    const error = await new Promise<StoreError>((resolve) => store.onFailure(resolve));
    expect(error.code).toBe("unusable");
  });
});
