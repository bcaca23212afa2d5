/** Where each row of the fault table is shown, or why it cannot be provoked. */
export interface FaultRow {
  /** File and title, as the title stands in the file; a table's title holds a placeholder. */
  readonly shown?: readonly (readonly [file: string, title: string])[];
  /** Why the channel never meets it, where that is so; what is shown then is only how it would be told. */
  readonly never?: string;
}

const CODES = ["discord-fault.test.ts", "%s: status %i, code %i %s is %s"] as const;
const FIELDS = ["discord-fault.test.ts", "%s: the field %j is %s"] as const;
const SENDING = "sending/message-sender.long.test.ts";
const EDITING = "sending/message-edit.test.ts";
const DRAFTS = "sending/draft-book.long.test.ts";
const TYPING = "sending/typing-indicator.test.ts";
const LIMITS = "rest/rate-limit.test.ts";
const OPENING = "threads/thread-opener.long.test.ts";
const CLOSING = "threads/thread-closer.test.ts";
const RESUME = "gateway/resume.long.test.ts";
const TROUBLE = "gateway/account-trouble.long.test.ts";
const EVENTS = "gateway/event-intake.test.ts";
const GUILDS = "gateway/guild-watch.test.ts";
const DESK = "interactions/interaction-desk.test.ts";
const CARDS = "cards/completion-tap.test.ts";
const ATTACKS = "attack.test.ts";

const SHORT_LIMIT = [LIMITS, "%s: a short %s limit is waited for, and the message is sent once"] as const;
const LONG_LIMIT = [LIMITS, "%s: a long %s limit is told, and other chats go on unless it is global"] as const;
const LOST_SESSION = [RESUME, "%s: after the close %i nothing is missed, whatever is left of the session"] as const;
const FINAL_CLOSE = [TROUBLE, "%s: after the close %i the account has failed, and says what to do"] as const;

export const FAULT_ROWS: Readonly<Record<string, FaultRow>> = {
  D1: {
    shown: [
      [SENDING, "D1: 2,000 characters are sent, and one more is too long"],
      ["../../../test/flows/discord-long-answer.test.ts", "D1: a long answer with code in it arrives in parts"],
    ],
  },
  D2: { shown: [[SENDING, "D2: a message that Discord finds empty is not tried again"]] },
  D3: {
    shown: [["cards/completion-card.test.ts", "D3: stays within the limits of a card, whatever it is named"], FIELDS],
  },
  D4: { never: "the channel uploads nothing yet", shown: [CODES] },
  D5: {
    shown: [
      [SENDING, "D5: a message whose answer was lost is sent again and stands once"],
      [SENDING, "D5: after the nonce's time it is found in the history (which has nonces: %s)"],
      [SENDING, "D5: what never arrived is sent after all, also where another delivery said the same"],
      [CARDS, "D5: whose answer was lost stands once, also %i minutes later"],
    ],
  },
  D6: { shown: [[OPENING, "D6: a thread can be called %j, as far as Discord goes"], FIELDS] },
  D7: { shown: [[OPENING, "a public thread stands on a message of the channel, and begins with a hello"], FIELDS] },
  D8: { never: "the channel has no webhooks: it speaks as the bot", shown: [FIELDS] },
  D9: {
    shown: [SHORT_LIMIT, LONG_LIMIT, [LIMITS, "D9: a limit that names no time is not called for again at once"]],
  },
  D10: { shown: [[LIMITS, "D10: where the headers say that nothing is left nothing is called for"]] },
  D11: { shown: [SHORT_LIMIT, LONG_LIMIT] },
  D12: {
    shown: [SHORT_LIMIT, LONG_LIMIT, [DESK, "D12: a limit of the whole bot does not keep an acknowledgement back"]],
  },
  D13: {
    shown: [
      [LIMITS, "D13: Cloudflare's page with status %s holds the account and is no riddle"],
      [LIMITS, "D13: Cloudflare's refusal in JSON is the same"],
    ],
  },
  D14: { shown: [[LIMITS, "D14: every call says which program it is, as Discord asks"]] },
  D15: {
    shown: [
      [TROUBLE, "D15: a token that is none ends the start, and is tried no more"],
      [TROUBLE, "D15: once a call is refused for its token no other is made"],
      [TROUBLE, "D15: reading with a token that was revoked fails the account, and is not tried again"],
    ],
  },
  D16: { shown: [[SENDING, "D16: a channel that the bot may not see is gone for it"]] },
  D17: {
    shown: [
      [SENDING, "D17: a permission that is missing is named"],
      [OPENING, "D17: without the right to open %s threads the refusal names it"],
      [CLOSING, "D17: what may not be deleted is archived"],
    ],
  },
  D18: {
    shown: [
      [SENDING, "D18: a channel that is deleted is gone, and so is a thread"],
      [CLOSING, "D18: a thread that is deleted is gone"],
      [GUILDS, "D18, attack 28: a thread that is deleted is told by its id, whatever it is called"],
      [GUILDS, "D18: with a channel go its threads"],
    ],
  },
  D19: {
    shown: [
      [SENDING, "D19: what answers a message that is gone is said all the same"],
      [EDITING, "D19, D31: what is gone, or another's, is not edited, and a new message is advised"],
      [DRAFTS, "D19: where somebody deleted the draft the answer is sent"],
    ],
  },
  D20: { shown: [[GUILDS, "D20: a bot that is taken out of a server ends what it has there, and says so"]] },
  D21: {
    shown: [
      [GUILDS, "D21: a server that is out of order is no removal, and what was said there is read when it is back"],
      [GUILDS, "D21: also where the account stops meanwhile"],
    ],
  },
  D22: {
    shown: [
      [SENDING, "D22: what is said in an archived thread opens it"],
      [EDITING, "D22: before an edit an archived thread is opened, once"],
    ],
  },
  D23: {
    shown: [
      [SENDING, "D23: a locked thread is closed for a bot that does not manage threads"],
      [EDITING, "D22, D23: a thread that is archived and locked stays so for a bot that does not manage threads"],
      [CLOSING, "D18, D22, D23: whether a thread can be written to"],
    ],
  },
  D24: { shown: [[OPENING, "D24: %s, at %s (%s, call %i), %i minutes later in a new life"]] },
  D25: {
    shown: [
      [OPENING, "D25: where the server has too many threads the own one that is quiet for longest makes room"],
      [OPENING, "D25: where none of them is its own it says so"],
    ],
  },
  D26: { never: "the channel adds nobody to a thread", shown: [CODES] },
  D27: { shown: [[SENDING, "D27: where the bot may not read back it says it without a reply, once"]] },
  D28: {
    shown: [
      [SENDING, "D28: nothing can be said into a forum itself"],
      [OPENING, "D28: in a forum"],
    ],
  },
  D29: { shown: [[SENDING, "D29: slowmode is a limit of its channel, for as long as Discord says"]] },
  D30: {
    shown: [
      [EDITING, "D30: an old message that was edited too often takes no more, and is not tried at once again"],
      [DRAFTS, "D30: a draft too old to be edited goes, and the answer is a new message"],
    ],
  },
  D31: { shown: [[EDITING, "D19, D31: what is gone, or another's, is not edited, and a new message is advised"]] },
  D32: {
    shown: [
      [SENDING, "D32: what the server's moderation blocks is not tried again"],
      [DRAFTS, "D32: an answer that moderation refuses leaves no half of itself behind"],
      [OPENING, "D32: a name that moderation refuses is told, not tried again"],
    ],
  },
  D33: { shown: [[SENDING, "D33: a user who takes no direct messages is gone until he writes again"]] },
  D34: { shown: [[SENDING, "D34: no call opens a direct chat: an answer goes to the one that was written in"], CODES] },
  D35: {
    shown: [
      [LIMITS, "D35: a page with status %i leaves open what became of the message"],
      [LIMITS, "D35: Discord itself says when it is too busy to take anything"],
      [LIMITS, "D35: an answer that is no JSON leaves it open, too"],
    ],
  },
  D36: { shown: [[ATTACKS, "attack 16: nothing that the channel says calls anybody (D36, D60)"], FIELDS] },
  D37: {
    shown: [
      [DESK, "D37: it is acknowledged also where the store is slow, within Discord's time"],
      [DESK, "D37: one that is acknowledged too late is heard all the same, and no trouble"],
      [DESK, "D37: while somebody types only choices are an answer, also where nothing is known"],
    ],
  },
  D38: { shown: [[DESK, "D38, attack 11: one that comes twice has one effect and one answer"]] },
  D39: {
    never: "the channel sends no follow-ups: what an interaction asks for is answered by a message",
    shown: [CODES],
  },
  D40: {
    never: "the channel has no webhooks: it speaks as the bot",
    shown: [CODES, [DESK, "D40, D15: an interaction that is refused for its own token says nothing of the bot's"]],
  },
  D41: { shown: [[TROUBLE, "D41: a token that is revoked while the account listens ends it, with the way out"]] },
  D42: {
    shown: [
      FINAL_CLOSE,
      [TROUBLE, "D42, D62: an intent that is taken away later ends the account, and names the portal's switch"],
      [TROUBLE, "D42, D43: without the intent it starts, and hears what mentions it (needs more: %s)"],
    ],
  },
  D43: { shown: [[TROUBLE, "D43: messages without their content are said once, and are nobody's prompt"]] },
  D44: { shown: [FINAL_CLOSE] },
  D45: {
    shown: [
      [RESUME, "D45: a connection that breaks is resumed, and nothing is missed or heard twice"],
      [RESUME, "D45: a reconnect that Discord asks for resumes the session"],
    ],
  },
  D46: {
    shown: [
      [RESUME, "D46, D50: where the session is gone, what was said meanwhile is read"],
      [RESUME, "D46: a resume that is closed with %i becomes a new session, and the gap is read"],
      [RESUME, "D46: an invalid session begins anew, and the gap is read"],
    ],
  },
  D47: { shown: [[RESUME, "D47: an account that stops leaves its session to be resumed"], LOST_SESSION] },
  D48: { shown: [[RESUME, "D48: a connection without heartbeats is left, and resumed"]] },
  D49: {
    shown: [
      [RESUME, "D49: what comes twice is given under the same id, and counts once"],
      [RESUME, "D49: what was stored while its place was not is heard again, under the same id"],
    ],
  },
  D50: {
    shown: [
      [RESUME, "D50: where Discord forgot what was missed it is read: READY instead of RESUMED"],
      [RESUME, "D50: a new life resumes what the last one had stored; where that is forgotten it reads the gap"],
    ],
  },
  D51: {
    shown: [
      [TROUBLE, "D51: a budget of sessions that is spent is waited for, and said"],
      [TROUBLE, "D51: a session that can be resumed needs none of the budget"],
    ],
  },
  D52: {
    never: "the channel sends the gateway nothing but what keeps a connection; the library paces that",
    shown: [LOST_SESSION],
  },
  D53: { shown: [[EVENTS, "D53: the bot does not hear itself, and other bots are told apart"]] },
  D54: { shown: [[EVENTS, "D54: what Discord writes by itself is nobody's message"]] },
  D55: {
    shown: [
      [GUILDS, "D55: a thread that is told twice is one, and a private one is heard once the bot is in it"],
      [GUILDS, "D55: a thread that the bot is taken out of is gone for it"],
    ],
  },
  D56: { shown: [[GUILDS, "D56: a thread that nobody told of, for it was archived, is asked about"]] },
  D57: { shown: [[EVENTS, "D57: an edit is heard with its time, and a card that was found for a link is no edit"]] },
  D58: {
    shown: [
      [RESUME, "D58: what comes in another order is all heard"],
      [EVENTS, "D58: what waits is stored in the order in which it was said"],
    ],
  },
  D59: {
    shown: [
      [EVENTS, "D59: %s stops nothing"],
      [EVENTS, "D59: nulls in a message leave the rest of it"],
    ],
  },
  D60: { shown: [[ATTACKS, "attack 16: nothing that the channel says calls anybody (D36, D60)"]] },
  D61: {
    shown: [[TYPING, "D61: it is shown again before Discord lets it go, until it is stopped"]],
  },
  D62: { shown: [[TROUBLE, "D42, D62: an intent that is taken away later ends the account"]] },
};
