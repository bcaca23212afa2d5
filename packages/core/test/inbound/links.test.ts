import { describe, expect, it } from "vitest";
import {
  buildLinkBook,
  decideLink,
  decideUnlink,
  formatPeerAccount,
  type PeerAccount,
} from "../../src/inbound/links.ts";
import { parseIdentityLinks, parseLinkedAccount } from "../../src/sessions/keys/identity-links.ts";

const NEW = "pnew";

/** `name: channel:id …`, the configuration's and the stored ones. */
function book(
  configured: Readonly<Record<string, readonly string[]>>,
  stored: Readonly<Record<string, readonly string[]>>,
) {
  const rows = Object.entries(stored).flatMap(([person, accounts]) =>
    accounts.map((account) => ({ ...parseLinkedAccount(account), person })),
  );
  return buildLinkBook(parseIdentityLinks(configured), rows);
}

function written(writes: readonly (PeerAccount & { readonly person: string | null })[]): readonly string[] {
  return writes.map((write) => `${formatPeerAccount(write)} ${write.person ?? "-"}`);
}

describe("decideLink", () => {
  it.each([
    ["two strangers", {}, {}, ["a:1", "b:2"], undefined, ["a:1 pnew", "b:2 pnew"]],
    ["two strangers under a name", {}, {}, ["a:1", "b:2"], "alice", ["a:1 alice", "b:2 alice"]],
    ["the second joins the first's stored name", {}, { pold: ["a:1"] }, ["a:1", "b:2"], undefined, ["b:2 pold"]],
    ["the first joins the second's configured name", { ada: ["b:2"] }, {}, ["a:1", "b:2"], undefined, ["a:1 ada"]],
    ["a third account", {}, { pold: ["a:1", "b:2"] }, ["b:2", "c:3"], undefined, ["c:3 pold"]],
  ])("links %s", (_what, configured, stored, accounts, asked, writes) => {
    const decision = decideLink(book(configured, stored), accounts.map(parseLinkedAccount), { asked, newName: NEW });
    expect(decision.status).toBe("linked");
    expect(decision.status === "linked" && written(decision.writes)).toEqual(writes);
  });

  it.each([
    ["all of them already", {}, { pold: ["a:1", "b:2"] }, undefined, "already"],
    ["two persons", { ada: ["a:1"] }, { pold: ["b:2"] }, undefined, "other_person"],
    ["another name asked for", {}, { pold: ["a:1", "b:2"] }, "alice", "other_person"],
  ] as const)("leaves %s", (_what, configured, stored, asked, status) => {
    const accounts = ["a:1", "b:2"].map(parseLinkedAccount);
    expect(decideLink(book(configured, stored), accounts, { asked, newName: NEW })).toMatchObject({ status });
  });
});

describe("decideUnlink", () => {
  it.each([
    ["the last but one: nobody is linked any more", {}, { p: ["a:1", "b:2"] }, true, ["a:1 -", "b:2 -"]],
    [
      "one of three that has written: the others take a new name",
      {},
      { p: ["a:1", "b:2", "c:3"] },
      true,
      ["a:1 -", "b:2 pnew", "c:3 pnew"],
    ],
    ["one of three that has not written: the others keep theirs", {}, { p: ["a:1", "b:2", "c:3"] }, false, ["a:1 -"]],
    ["one alone under its name", {}, { p: ["a:1"] }, true, ["a:1 -"]],
    ["one that has not written from a configured name", { p: ["b:2"] }, { p: ["a:1"] }, false, ["a:1 -"]],
  ] as const)("%s", (_what, configured, stored, hasWritten, writes) => {
    const decision = decideUnlink(book(configured, stored), parseLinkedAccount("a:1"), { hasWritten, newName: NEW });
    expect(decision.status === "unlinked" && written(decision.writes)).toEqual(writes);
  });

  it.each([
    ["nobody", {}, {}, "not_linked"],
    ["the configuration's own", { p: ["a:1", "b:2"] }, {}, "configured"],
    ["one whose writing a configured name's conversation holds", { p: ["b:2"] }, { p: ["a:1"] }, "has_written"],
  ] as const)("leaves %s", (_what, configured, stored, status) => {
    const names = { hasWritten: true, newName: NEW };
    expect(decideUnlink(book(configured, stored), parseLinkedAccount("a:1"), names)).toMatchObject({ status });
  });
});

it("the configuration wins where both name an account", () => {
  expect(book({ ada: ["a:1"] }, { p: ["a:1", "b:2"] })).toEqual([
    { channel: "a", peer: "1", person: "ada", isConfigured: true },
    { channel: "b", peer: "2", person: "p", isConfigured: false },
  ]);
});
