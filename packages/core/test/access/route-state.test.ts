import type { RouteSnapshot } from "@banyan/store";
import { expect, it } from "vitest";
import { createRouteState } from "../../src/access/route-state.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";

/** A store whose reads of routes end when a test says so, each with the revision at its beginning. */
function createSlowStore() {
  const { read } = openTestStore({ clock: createTestPorts().clock });
  const snapshot: RouteSnapshot = { revision: 0, approved: [], links: [], chatMoves: [], bindings: [] };
  const ends: ((error?: Error) => void)[] = [];
  const store = {
    revision: 0,
    reads: 0,
    read: {
      ...read,
      routes: async () => {
        store.reads += 1;
        const { revision } = store;
        const ended = Promise.withResolvers<void>();
        ends.push((error) => (error === undefined ? ended.resolve() : ended.reject(error)));
        await ended.promise;
        return { ...snapshot, revision };
      },
    },
    /** Ends the reads that have begun. */
    async settle(error?: Error) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends.splice(0)) end(error);
    },
  };
  return store;
}

it("six that ask at once share one read", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const asked = Promise.all(Array.from({ length: 6 }, () => state.refresh()));
  await store.settle();
  expect(new Set(await asked)).toEqual(new Set([state.picture]));
  expect(store.reads).toBe(1);
});

it("those that ask while a read is under way share the next one, which sees what was committed before they asked", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const first = state.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  store.revision = 1;
  const later = Promise.all(Array.from({ length: 6 }, () => state.refresh()));
  await store.settle();
  expect((await first).revision).toBe(0);
  await store.settle();
  expect((await later).map(({ revision }) => revision)).toEqual(Array(6).fill(1));
  expect([store.reads, state.picture.revision]).toEqual([2, 1]);
});

it("a read that fails is that of those who asked for it; the next one is made", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const first = expect(state.refresh()).rejects.toThrow("full");
  await store.settle(new Error("full"));
  await first;
  store.revision = 2;
  const second = state.refresh();
  await store.settle();
  expect((await second).revision).toBe(2);
});
