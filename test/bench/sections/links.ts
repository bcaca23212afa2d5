import { buildAgentPeerSessionKey, parseIdentityLinks } from "@banyan/core";
import type { Bar } from "../bar.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";

const SIZES = [10, 10_000] as const;
const LOOKUPS = 200_000;
const STRETCHES = 9;

/** From a message's sender to the session of the linked person. */
export const links: Section = {
  name: "links",
  about: `identity lookup at ${SIZES.join(" / ")} links`,
  async measure({ tell }): Promise<readonly Bar[]> {
    const costs = SIZES.map(measureLookup);
    for (const [index, size] of SIZES.entries()) tell(`links ${size}: ${costs[index]?.toFixed(0)} ns a lookup`);
    const [few = Number.NaN, many = Number.NaN] = costs;
    const detail = `${few.toFixed(0)} / ${many.toFixed(0)} ns from sender to session key`;
    return [{ name: "identity lookup", measured: many / few, limit: 1.3, side: "at most", unit: "×", detail }];
  },
};

function measureLookup(size: number): number {
  const persons = Object.fromEntries(Array.from({ length: size }, (_, n) => [`person-${n}`, [`telegram:${n + 1}`]]));
  const identityLinks = parseIdentityLinks(persons);
  const place = { agentId: "main", channel: "telegram", accountId: "default", peerKind: "dm" } as const;
  const costs = Array.from({ length: STRETCHES }, () => {
    const begun = performance.now();
    for (let lookup = 0; lookup < LOOKUPS; lookup += 1) {
      const peerId = String(((lookup * 7) % size) + 1);
      buildAgentPeerSessionKey({ ...place, peerId, dmScope: "per-channel-peer", identityLinks });
    }
    return ((performance.now() - begun) / LOOKUPS) * 1e6;
  });
  return median(costs);
}
