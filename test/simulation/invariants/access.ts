import { parseAddress } from "@banyan/plugin-sdk";
import { ALLOWED_GROUPS, MENTION } from "../events/group.ts";
import { KNOWN_PEOPLE } from "../events/person.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import { findPerson } from "./identity.ts";
import type { Invariant } from "./invariant.ts";
import { listLaneMoves, listStored } from "./written.ts";

const LET_IN: ReadonlySet<string> = new Set(KNOWN_PEOPLE.map(({ id }) => id));
const DM_KEY = /^agent:main:dm:/;

interface Spoken {
  readonly text: string;
  readonly sender: { readonly id: string };
}

/** Access: nobody reaches an agent who was not let in at the moment his message was stored. */
export function createAccess(): Invariant {
  return {
    name: "access",
    observe(seen, { data }) {
      if (seen.type !== "step") return undefined;
      for (const item of listStored(seen.step, seen.result)) {
        const body: Spoken = JSON.parse(item.body);
        const wrong = judge(item, body, data);
        if (wrong !== undefined) return `“${body.text}” of ${body.sender.id} in ${item.address} is taken in: ${wrong}`;
      }
      return undefined;
    },
  };
}

type Stored = ReturnType<typeof listStored>[number];

function judge(item: Stored, { text, sender }: Spoken, data: StoreMirror): string | undefined {
  const { channel, account, kind, chat } = parseAddress(item.address);
  if (kind === "dm") {
    const isPaired = data.seldom
      .listPairings()
      .some(
        (row) =>
          row.state === "approved" &&
          row.channel === channel &&
          row.account === account &&
          row.senderId === sender.id &&
          channel === "pigeon",
      );
    return LET_IN.has(sender.id) || isPaired ? undefined : "nobody let the sender in";
  }
  if (!listNames(channel, chat, data).some((name) => ALLOWED_GROUPS.has(name))) return "the group is on no list";
  if ([...data.runs.bindings.values()].some(({ row }) => row.kind === "thread" && row.address === item.address))
    return undefined;
  const isAddressed = item.kind === "command" || item.nativeId.endsWith("+") || text.startsWith(MENTION);
  return isAddressed ? undefined : "it is not for the bot";
}

/** A chat's id and those it had before, as the store tells. */
function listNames(channel: string, chat: string, { seldom }: StoreMirror): readonly string[] {
  const names = [chat];
  for (const name of names)
    for (const move of seldom.listChatMoves())
      if (move.channel === channel && move.toChat === name && !names.includes(move.fromChat)) names.push(move.fromChat);
  return names;
}

/**
 * Privacy: a direct conversation is only ever gone on with by somebody who is, at that moment, the same person as all who
 * wrote in it; and a group's, or another's, never becomes one.
 */
export function createPrivacy(): Invariant {
  const writers = new Map<string, Set<string>>();
  const writersOf = (lane: string) => {
    const known = writers.get(lane) ?? new Set<string>();
    writers.set(lane, known);
    return known;
  };
  return {
    name: "privacy",
    observe(seen, { data }) {
      if (seen.type !== "step" || seen.result.status !== "done") return undefined;
      if (seen.result.status === "done" && (seen.step.step === "rekey" || seen.step.step === "migrate_chat"))
        for (const { from, to } of listLaneMoves(seen.step)) {
          for (const peer of writersOf(from)) writersOf(to).add(peer);
          writers.delete(from);
        }
      for (const { lane, address, body } of listStored(seen.step, seen.result)) {
        const { channel, kind } = parseAddress(address);
        // Turned to a sub-agent by its own person.
        if ([...data.runs.bindings.values()].some(({ row }) => row.address === address && row.sessionKey === lane))
          continue;
        if ((kind === "dm") !== DM_KEY.test(lane)) return `a message of ${address} is taken into ${lane}`;
        if (kind !== "dm") continue;
        const { sender }: Spoken = JSON.parse(body);
        const peer = `${channel}:${sender.id}`;
        const name = findPerson(data, peer) ?? peer;
        const known = writersOf(lane).add(peer);
        const other = [...known].find((each) => (findPerson(data, each) ?? each) !== name);
        if (other !== undefined) return `${lane} holds what ${other} wrote, and ${peer}, who is ${name}, goes on in it`;
      }
      return undefined;
    },
  };
}
