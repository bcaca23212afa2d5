import type { Chat, ChatMember, ChatMemberUpdated } from "grammy/types";
import { describe, expect, it } from "vitest";
import { translateUpdate } from "../../src/updates/update-translation.ts";
import { buildRawMember } from "./raw-update.ts";

const me = { account: "grove", id: 7550001, username: "grove_bot", hasPrivateTopics: false };
const user = { id: me.id, is_bot: true, first_name: "Grove" };
const from = { id: 42, is_bot: false, first_name: "Ada" };
const privateChat: Chat = { id: 42, type: "private", first_name: "Ada" };
const group: Chat = { id: -1001, type: "supergroup", title: "The Grove" };

const left: ChatMember = { status: "left", user };
const kicked: ChatMember = { status: "kicked", user, until_date: 0 };
const member: ChatMember = { status: "member", user };

function build(status: string, part: object = {}): ChatMember {
  return buildRawMember({ status, user, ...part });
}

const admin = build("administrator", { is_anonymous: false, can_be_edited: false });
const mute = build("restricted", { is_member: true, can_send_messages: false });
const limited = build("restricted", { is_member: true, can_send_messages: true });
const outside = build("restricted", { is_member: false, can_send_messages: false });

function change(chat: Chat, before: ChatMember, now: ChatMember): ChatMemberUpdated {
  return { chat, from, date: 1, old_chat_member: before, new_chat_member: now };
}

const ALLOW = 'to let it talk there: channels.telegram.accounts.grove.groups.allow: ["-1001"]';

describe("the operator reads once", () => {
  it.each<[what: string, update: ChatMemberUpdated, level: string, sentence: string]>([
    [
      "T13: that a person blocked the bot",
      change(privateChat, member, kicked),
      "info",
      "Telegram: the user 42 blocked the bot; nothing can be sent there until the user writes again",
    ],
    [
      "that a person unblocked it",
      change(privateChat, kicked, member),
      "info",
      "Telegram: the user 42 unblocked the bot",
    ],
    [
      "that it was added, and how to let it talk",
      change(group, left, member),
      "info",
      `Telegram: the bot was added to the group "The Grove" (-1001); ${ALLOW}`,
    ],
    [
      "that it was added as an administrator",
      change(group, kicked, admin),
      "info",
      `Telegram: the bot was added to the group "The Grove" (-1001); ${ALLOW}`,
    ],
    [
      "T17: that it was added without the right to write",
      change(group, left, mute),
      "info",
      `Telegram: the bot was added to the group "The Grove" (-1001); ${ALLOW}; it may not write there: give it the right to send messages`,
    ],
    [
      "T16: that it was removed",
      change(group, member, kicked),
      "warn",
      'Telegram: the bot was removed from the group "The Grove" (-1001); it gets and sends nothing there',
    ],
    [
      "T16: that it is outside",
      change(group, member, outside),
      "warn",
      'Telegram: the bot was removed from the group "The Grove" (-1001); it gets and sends nothing there',
    ],
    [
      "T17: that it was restricted",
      change(group, member, mute),
      "warn",
      'Telegram: the bot was restricted in the group "The Grove" (-1001); it may not write there: give it the right to send messages',
    ],
    [
      "that it may write again",
      change(group, mute, member),
      "info",
      'Telegram: the bot may write in the group "The Grove" (-1001) again',
    ],
    [
      "that it was promoted",
      change(group, member, admin),
      "info",
      'Telegram: in the group "The Grove" (-1001) the bot is an administrator now and gets every message',
    ],
    [
      "that it was demoted",
      change(group, admin, member),
      "info",
      'Telegram: in the group "The Grove" (-1001) the bot is no administrator any more',
    ],
  ])("%s", (_, update, level, sentence) => {
    expect(translateUpdate({ update_id: 1, my_chat_member: update }, me)).toEqual({
      kind: "membership",
      news: { level, sentence },
    });
  });

  it.each([
    ["that it left what it was not in", change(group, left, kicked)],
    ["of a right that has nothing to do with writing", change(group, member, limited)],
  ])("nothing %s", (_, update) => {
    expect(translateUpdate({ update_id: 1, my_chat_member: update }, me)).toEqual({
      kind: "ignored",
      why: "membership_detail",
    });
  });
});

it("a title that is long and odd stays one short word of the sentence", () => {
  const chat: Chat = { ...group, title: `The "\n${"x".repeat(200)}` };
  expect(translateUpdate({ update_id: 1, my_chat_member: change(chat, member, kicked) }, me)).toMatchObject({
    news: {
      sentence: expect.stringMatching(/^Telegram: the bot was removed from the group "The \\"\\nx{94}" \(-1001\);/),
    },
  });
});
