import { describe, expect, test } from "vitest";
import { AgentFolders } from "../src/projector/agent-folder.ts";
import { SessionsProjection } from "../src/projector/sessions-projection.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** A projection whose files only count how often they are written. */
function createCounting(sessions: number): { projection: SessionsProjection; written: string[] } {
  const written: string[] = [];
  const folders = new AgentFolders(createTemporaryFolder(), async (agentId) => agentId);
  const files = {
    write(_: string, agentId: string) {
      written.push(agentId);
      return sessions;
    },
  };
  return { projection: new SessionsProjection({ folders, files, warn: () => undefined }), written };
}

describe("sessions.json is written", () => {
  test("at most once a second, and what was put off is due then", async () => {
    const { projection, written } = createCounting(100);
    for (const nowMs of [0, 10, 500, 999]) {
      projection.add(["main"]);
      await projection.project(nowMs, false);
    }
    expect(written).toEqual(["main"]);
    expect(projection.findNextAtMs()).toBeGreaterThanOrEqual(1_000);
    await projection.project(2_000, false);
    expect(written).toEqual(["main", "main"]);
    expect(projection.findNextAtMs()).toBeUndefined();
  });

  test("at most every ten minutes above 20,000 sessions, and at a stop whenever it is", async () => {
    const { projection, written } = createCounting(20_001);
    for (const nowMs of [0, 1_000, 599_999]) {
      projection.add(["main"]);
      await projection.project(nowMs, false);
    }
    expect(written).toEqual(["main"]);
    await projection.project(599_999, true);
    expect(written).toEqual(["main", "main"]);
  });

  test("for the agents that changed only", async () => {
    const { projection, written } = createCounting(1);
    projection.add(["main"]);
    await projection.project(0, false);
    projection.add(["coding"]);
    await projection.project(5_000, true);
    expect(written).toEqual(["main", "coding"]);
  });
});
