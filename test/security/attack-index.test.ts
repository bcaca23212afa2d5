import { expect, test } from "vitest";
import { FILE_ATTACKS } from "./file-attacks.ts";
import { findAttacks } from "./found-attack.ts";
import { HOST_ATTACKS } from "./host-attacks.ts";
import { HOSTILE_ATTACKS } from "./hostile-attacks.ts";
import { SECRET_ATTACKS } from "./secret-attacks.ts";
import { TOOL_ATTACKS } from "./tool-attack-index.ts";
import { WEBHOOK_ATTACKS } from "./webhook-attacks.ts";

const ATTACKS = 36;

/** The tests of each attack by title, without "attack N: " at its beginning. A test may be in any file. */
const INDEX: readonly (readonly [attack: number, ...titles: string[]])[] = [
  ...FILE_ATTACKS,
  ...HOST_ATTACKS,
  ...HOSTILE_ATTACKS,
  ...SECRET_ATTACKS,
  ...TOOL_ATTACKS,
  ...WEBHOOK_ATTACKS,
  [1, "refuses a tool that %s, and says which there are"],
  [2, "gets its input with sender and labelled data, and the history without the turn itself"],
  [2, "the title of a task"],
  [3, "a child's result names another chat"],
  [4, "somebody who writes what the host would write of a run's end"],
  [4, "what kind of thing %j is says its column, not its text"],
  [5, "in which a plugin speaks for %s is refused as a whole"],
  [5, "a plugin that speaks for %s is refused, and nothing is stored"],
  [6, "nothing that one person says reaches another's context under $session.dmScope"],
  [7, "finds under %s, with %s, %j: %i problems"],
  [7, "under main a second person is not let in until it is said that they may read each other"],
  [
    7,
    "main does not start with two people, until it is said that they may read each other",
    "main does not start where anybody may write, and per-peer not where ids of two channels meet",
  ],
  [8, "%s is decided by the id only"],
  [
    8,
    "who is not linked stays apart, also one who calls himself like her",
    "under per-peer an unlinked peer whose id is a person's name is another conversation",
    "a start that would show her writing to somebody else is refused with the cure, and nothing is lost",
  ],
  [8, "a start that would show her writing to another is cured by the line it names"],
  [9, "a code is eight of 32 symbols that are not misread, all equally likely"],
  [
    9,
    "accepts a code once, and only within ten minutes",
    "counts wrong codes: after five none is accepted for an hour, not even the right one",
  ],
  [
    9,
    "a stranger gets a code, the operator lets him in with it, and he talks",
    "three strangers get codes at a time; when theirs have expired the next ones do",
    "a code lets in who was given it, whoever else shows it, and guessing in the chat does nothing",
  ],
  [9, "what a group, a bot or a stranger says reaches no agent and stays in no file"],
  [
    12,
    "a message of a megabyte is stored and answered whole; one byte more is refused with a sentence and not stored",
    "a body that is no message is refused with a sentence, and the next one is taken",
    "a key __proto__ in a body changes nothing",
  ],
  [
    12,
    "bombs at the control socket are refused, and the next call is answered",
    "an answer of Telegram $what is told and tried again; the rest of the gateway goes on",
    "as a configuration, $what is refused with a sentence",
  ],
  [13, "folders of attachments"],
  [13, "a folder that is open in what is blocked"],
  [13, "paths that leave the workspace", "links"],
  [13, "ids with separators, paths and quotes stay ids: each person has a session and a file of his own"],
  [
    13,
    "a state directory that is a link is used as any other",
    "nothing is written through a link: %s",
    "a link in the place of %s is refused, and what it names stays as it is",
    "ids that climb stay below the state directory",
  ],
  [14, "attachments"],
  [17, "for any text"],
  [17, "an answer whose markup the platform cannot read is sent once, plain"],
  [18, "an error $what ends the process, and is printed without secrets"],
  [
    18,
    "no secret stands in a log, an entry, a delivery, a file, a message, a status or an answer, whoever says it",
    "only the owner of the control socket is told the token, by the one question for it",
    "an answer that grows is shown without a secret that comes in pieces",
  ],
  [
    18,
    "under umask 000 every file of a running gateway is its owner's alone, and so they stay",
    "a state directory from a careless copy is made private again at the next start",
  ],
  [19, "a child of a strict agent stays strict when its own agent's level is lowered while it works"],
  [19, "agents of which each spawns as many as it can"],
  [19, "spawning to get away"],
  [19, "a child's folder"],
  [19, "the door of the tools"],
  [19, "the way to the tools, in other hands"],
  [20, "children that all end while their requester is busy"],
  [21, "agents that answer each other without end"],
  [21, "%s is allowed where it is listed, and nowhere else"],
  [21, "other groups, bots, and edits in a group begin no turn and are answered by nothing"],
  [22, "ten thousand messages of one person delay nobody else's answer, fill no memory, and are told of once"],
  [
    24,
    "odd texts are stored and answered as they are, also after a restart",
    "NULs and lone surrogates in ids, and texts that are none, are refused with a sentence each, and nothing is stored",
  ],
  [25, "SQL in an id, a name and a text is data"],
  [
    26,
    "taps that $what are named in the log and hold nobody up",
    "a plugin whose send $mood delays nobody else, and is tried again with the mark",
    "a plugin that %s does not keep the others from running, nor the gateway from stopping",
  ],
  [28, "a thread that was renamed, made again or moved"],
  [29, "an edit of what was answered already is not answered again"],
  [29, "what an edit changes while it waits is what the agent is asked; later edits change nothing"],
  [30, "a second process on the same state directory"],
  [31, "Host and Origin", "the bearer"],
  [31, "who has no token, a wrong one, or comes from another site is refused before anything is read"],
  [32, "on a full disk nothing is lost, and with room all goes on by itself"],
  [
    32,
    "while an answer waits for its next attempt and others are made, the wall clock jumps $to: each is sent once, at its time",
    "the wall clock has jumped $to when the gateway starts again: what waited goes out, once and soon",
    "what is told once an hour is told again when the wall clock was set back a day, and no oftener",
  ],
  [11, "a call of the interactions' endpoint"],
  [
    11,
    "Discord's own trials are passed: it is answered, and a forged one is refused",
    "a replay has no second effect",
    "an old call is refused, however well it is signed",
    "a call with %s is refused, and not heard",
  ],
  [
    12,
    "a body that never ends is waited for no longer than Discord waits for its answer",
    "a body without end is not read to its end",
  ],
  [16, "nothing that the channel says calls anybody (D36, D60), and nothing is refused for its form"],
  [17, "for any text"],
  [17, "a name that is markup is shown as it is written, and calls nobody"],
  [24, "%s goes out, and is heard, as what can be written", "an id in other digits than Discord's is none"],
  [26, "an account that has ended does nothing more, whatever was under way"],
  [27, "a button"],
  [
    27,
    "a double click is two commands with ids of their own, each acknowledged",
    "somebody else's button, an expired one and a forged one are refused with a word",
    "a button works after a restart, and says so after the token has changed",
  ],
  [27, "a double click does nothing twice, and a made-up button nothing at all"],
  [28, "a thread that is renamed, archived and opened again stays the same"],
];

/** Attacks on what is not there yet, and why; their tests come with it. */
const WAITING: ReadonlyMap<number, string> = new Map();

const found = findAttacks();

const attacks = [...new Set(INDEX.map(([attack]) => attack))].toSorted((a, b) => a - b);

test.each(attacks)("the index lists exactly the tests of attack %i", (attack) => {
  const there = found.filter((each) => each.attack === attack).map(({ title }) => title);
  const named = INDEX.filter(([of]) => of === attack).flatMap(([, ...titles]) => titles);
  expect(there.toSorted()).toEqual(named.map((title) => `attack ${attack}: ${title}`).toSorted());
});

test("every attack is tried, or waits for what it attacks", () => {
  const all = Array.from({ length: ATTACKS }, (_, index) => index + 1);
  expect([...attacks, ...WAITING.keys()].toSorted((a, b) => a - b)).toEqual(all);
  for (const [, ...titles] of INDEX) expect(titles.length).toBeGreaterThan(0);
});

test("no test tries an attack that the index does not know", () => {
  expect(found.filter(({ attack }) => !attacks.includes(attack))).toEqual([]);
});
