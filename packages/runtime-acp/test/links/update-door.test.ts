import { describe, expect, it } from "vitest";
import { parseUpdate } from "../../src/links/agent-answer.ts";
import { buildTagMeta, isSameTag, type TurnTag } from "../../src/links/turn-tag.ts";
import { type DroppedUpdate, type SessionEar, UpdateDoor } from "../../src/links/update-door.ts";

const FIRST: TurnTag = { run: "agent:main:main#7", epoch: 3 };
/** The same turn, begun again. */
const AGAIN: TurnTag = { ...FIRST, epoch: 4 };
const NEXT: TurnTag = { run: "agent:main:main#8", epoch: 5 };

/** A door with one session, and what was heard behind it, each with the prompt that heard it. */
function openDoor() {
  const heard: string[] = [];
  const drops: DroppedUpdate[] = [];
  const door = new UpdateDoor((drop) => drops.push(drop));
  const listen = (tag: TurnTag) => {
    const name = `${tag.run.slice(-2)} ${tag.epoch}`;
    const ear: SessionEar = {
      tag,
      hear({ tag: of, update }) {
        if (!isSameTag(of, tag)) return false;
        heard.push(`${name}: ${update.content?.text}`);
        return true;
      },
      hearCost: (totalUsd, isLate) => void heard.push(`${name}: $${totalUsd}${isLate ? " late" : ""}`),
      decide: () => Promise.reject(new Error("nothing is asked")),
    };
    return door.listen("s", ear);
  };
  const tell = (update: object, echo?: TurnTag) =>
    door.receive(parseUpdate({ sessionId: "s", update, ...(echo === undefined ? {} : { _meta: buildTagMeta(echo) }) }));
  const say = (text: string, ids: object = {}, echo?: TurnTag) =>
    tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...ids }, echo);
  const cost = (amount: number, echo?: TurnTag) =>
    tell({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } }, echo);
  return { door, heard, drops, listen, tell, say, cost };
}

describe("what an agent tells is heard by the prompt it belongs to", () => {
  it("is tagged with the prompt under way, where it says nothing of it", () => {
    const { heard, drops, listen, say } = openDoor();
    listen(FIRST)();
    listen(NEXT);
    say("one");
    say("two", { messageId: "m" });
    say("three", { messageId: "m" });
    expect([heard, drops]).toEqual([["#8 5: one", "#8 5: two", "#8 5: three"], []]);
  });

  it("is dropped and counted where no prompt is under way, and so is what belongs to it later", () => {
    const { heard, drops, listen, say } = openDoor();
    const end = listen(FIRST);
    end();
    say("alone", { messageId: "m" });
    listen(NEXT);
    say("more of it", { messageId: "m" });
    expect(heard).toEqual([]);
    expect(drops).toEqual([
      { session: "s", kind: "agent_message_chunk", tag: undefined, dropped: 1 },
      { session: "s", kind: "agent_message_chunk", tag: undefined, dropped: 2 },
    ]);
  });

  it.each([{ messageId: "m" }, { toolCallId: "c" }])("is an ended prompt's where %j began in it", (ids) => {
    const { heard, drops, listen, say } = openDoor();
    const end = listen(FIRST);
    say("in time", ids);
    end();
    listen(AGAIN);
    say("too late", ids);
    expect(heard).toEqual(["#7 3: in time"]);
    expect(drops).toMatchObject([{ tag: FIRST, dropped: 1 }]);
  });

  it("is whose the agent says it is, also without an id, and against what an id began with", () => {
    const { heard, drops, listen, say, tell } = openDoor();
    const end = listen(FIRST);
    say("in time", { messageId: "m" }, FIRST);
    end();
    listen(AGAIN);
    say("too late", {}, FIRST);
    say("it goes on", { messageId: "m" }, AGAIN);
    const content = { type: "text", text: "by its own piece" };
    tell({ sessionUpdate: "agent_message_chunk", content, _meta: buildTagMeta(AGAIN) });
    tell({ sessionUpdate: "agent_message_chunk", content, _meta: buildTagMeta(NEXT) });
    expect(heard).toEqual(["#7 3: in time", "#7 4: it goes on", "#7 4: by its own piece"]);
    expect(drops).toMatchObject([{ tag: FIRST }, { tag: NEXT }]);
  });

  it("is not told by a mark that is none of ours", () => {
    const { heard, listen, tell } = openDoor();
    listen(FIRST);
    for (const _meta of [null, {}, { banyan: null }, { banyan: { run: 1, epoch: 3 } }, { "other.dev": NEXT }])
      tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "heard" }, _meta });
    expect(heard).toHaveLength(5);
  });

  it("is counted in each session, told at each doubling, and not where it tells of the session alone", () => {
    const { door, drops, tell, say } = openDoor();
    for (const sessionUpdate of ["available_commands_update", "current_mode_update", "usage_update"])
      tell({ sessionUpdate });
    door.admit("s");
    for (let count = 1; count <= 9; count += 1) say("alone");
    expect(drops.map(({ dropped }) => dropped)).toEqual([1, 2, 4, 8]);
  });

  it("forgets which message was whose when there were a thousand since, and with the session", () => {
    const { door, heard, listen, say } = openDoor();
    listen(FIRST)();
    say("alone", { messageId: "first" });
    for (let count = 1; count < 1_000; count += 1) say("alone", { messageId: `m${count}` });
    const end = listen(NEXT);
    say("still known", { messageId: "first" });
    say("one more", { messageId: "m1000" });
    say("not known", { messageId: "first" });
    end();
    door.forget("s");
    listen(AGAIN);
    say("new again", { messageId: "m999" });
    expect(heard).toEqual(["#8 5: one more", "#8 5: not known", "#7 4: new again"]);
  });

  it("has its cost from the session, whenever that is told", () => {
    const { heard, drops, listen, cost, door } = openDoor();
    const end = listen(FIRST);
    cost(1);
    cost(2, NEXT);
    end();
    cost(3);
    listen(NEXT);
    cost(4, FIRST);
    expect(heard).toEqual(["#7 3: $1", "#7 3: $2 late", "#8 5: $3 late", "#8 5: $4 late"]);
    expect([drops, door.findToldUsd("s"), door.findToldUsd("t")]).toEqual([[], 4, undefined]);
  });

  it("lets ask whose prompt is under way, and nobody who says that he asks for another", () => {
    const { door, listen } = openDoor();
    expect(door.findEar("s", undefined)).toBeUndefined();
    const end = listen(FIRST);
    const asks = [undefined, FIRST, AGAIN].map((echo) => door.findEar("s", echo)?.tag);
    expect(asks).toEqual([FIRST, FIRST, undefined]);
    end();
    expect(door.findEar("s", FIRST)).toBeUndefined();
  });
});
