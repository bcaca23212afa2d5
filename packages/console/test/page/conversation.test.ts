import { expect, test } from "vitest";
import type { ChatMessage } from "../../src/page/chat-message.ts";
import {
  type Conversation,
  type ConversationChange,
  changeConversation,
  EMPTY_CONVERSATION,
  findReloadPoint,
} from "../../src/page/conversation.ts";

const user = (id: string, text = id): ChatMessage => ({ id, role: "user", kind: "message", text, at: 1 });
const agent = (id: string, text = id, kind = "reply"): ChatMessage => ({ id, role: "assistant", kind, text, at: 1 });
const wrote = (id: string): ConversationChange => ({ type: "written", id, text: id, at: 1 });
const arrived = (message: ChatMessage): ConversationChange => ({ type: "arrived", message });
const grew = (turnId: string, text: string): ConversationChange => ({ type: "grew", turnId, text });
const loaded = (messages: readonly ChatMessage[], afterKey?: string): ConversationChange => ({
  type: "loaded",
  messages,
  afterKey,
});

function after(...changes: readonly ConversationChange[]): Conversation {
  return changes.reduce(changeConversation, EMPTY_CONVERSATION);
}

/** Such as "a b(pending) c…". */
function show({ messages, growing }: Conversation): string {
  const listed = messages.map(({ text, state }) => (state === "sent" ? text : `${text}(${state})`));
  return [...listed, ...growing.map(({ text, isEnded }) => `${text}${isEnded ? "." : "…"}`)].join(" ");
}

test.each<[string, readonly ConversationChange[], string]>([
  ["an own message is shown at once", [wrote("a")], "a(pending)"],
  ["it is sent when the server has it", [wrote("a"), { type: "accepted", id: "a" }], "a"],
  ["or when the stream shows it first", [wrote("a"), arrived(user("a"))], "a"],
  ["it stays sent whatever comes later", [arrived(user("a")), { type: "failed", id: "a", problem: "no" }], "a"],
  ["it fails with a reason", [wrote("a"), { type: "failed", id: "a", problem: "no" }], "a(failed)"],
  [
    "a failed one can be taken back",
    [wrote("a"), wrote("b"), { type: "failed", id: "a", problem: "no" }, { type: "withdrawn", id: "a" }],
    "b(pending)",
  ],
  [
    "an answer stands below the question it came after",
    [wrote("a"), arrived(agent("d.0", "b")), arrived(user("a"))],
    "a b",
  ],
  ["what arrives twice is shown once", [arrived(agent("d.0", "b")), arrived(agent("d.0", "b"))], "b"],
  ["a question and an answer may have one id", [arrived(user("x", "a")), arrived(agent("x", "b"))], "a b"],
  ["an answer grows", [grew("t", "a"), grew("t", "ab")], "ab…"],
  ["two grow side by side", [grew("t", "a"), grew("u", "b"), grew("t", "aa")], "aa… b…"],
  ["it stands until its message comes", [grew("t", "a"), { type: "stopped_growing", turnId: "t" }], "a."],
  [
    "then the message stands for it",
    [grew("t", "a"), { type: "stopped_growing", turnId: "t" }, arrived(agent("d.0", "ab"))],
    "ab",
  ],
  [
    "an aside in the middle of a turn leaves it",
    [grew("t", "a"), arrived(agent("n.0", "status", "command"))],
    "status a…",
  ],
  [
    "an answer that was stopped vanishes",
    [grew("t", "a"), { type: "stopped_growing", turnId: "t" }, { type: "vanished", turnId: "t" }],
    "",
  ],
  ["one that grows on does not", [grew("t", "a"), { type: "vanished", turnId: "t" }], "a…"],
  ["history comes in its own order", [loaded([user("a"), agent("b")])], "a b"],
  ["what is under way stays below it", [wrote("c"), loaded([user("a"), agent("b")])], "a b c(pending)"],
  ["what history has was sent", [wrote("b"), wrote("c"), loaded([user("a"), user("b")])], "a b c(pending)"],
  [
    "after a gap the rest is read behind a known message, in the right order",
    [loaded([user("a"), agent("b")]), arrived(user("d")), loaded([agent("c"), user("d")], "assistant:b")],
    "a b c d",
  ],
  ["what grew before a gap is told anew", [grew("t", "a"), loaded([user("a")])], "a"],
  ["where the known message is gone, the history counts", [loaded([user("a")]), loaded([user("b")], "user:x")], "b"],
])("%s", (_name, changes, shown) => {
  expect(show(after(...changes))).toBe(shown);
});

test("a message that is sent keeps its place in memory, so that the page need not draw it anew", () => {
  const before = after(arrived(user("a")));
  expect(changeConversation(before, arrived(user("a"))).messages[0]).toBe(before.messages[0]);
});

test("a reload begins 32 messages back, or at the start", () => {
  const few = Array.from({ length: 31 }, (_, n) => arrived(agent(`${n}`)));
  expect(findReloadPoint(after(...few, wrote("x")))).toBeUndefined();
  const many = Array.from({ length: 100 }, (_, n) => arrived(agent(`${n}`)));
  expect(findReloadPoint(after(...many, wrote("x")))?.id).toBe("68");
});

test("the page keeps 2,000 messages", () => {
  const all = Array.from({ length: 2_001 }, (_, n) => agent(`${n}`));
  expect(after(loaded(all)).messages).toHaveLength(2_000);
  const { messages } = after(loaded(all), arrived(agent("last")));
  expect([messages.length, messages.at(-1)?.id]).toEqual([2_000, "last"]);
});
