/** Rows D1 to D62 of the fault table. */
import type { FaultRow } from "./fault-row.ts";

const CODES = "%s: status %i, code %i %s is %s";
const FIELDS = "%s: the field %j is %s";
const SHORT_LIMIT = "%s: a short %s limit is waited for, and the message is sent once";
const LONG_LIMIT = "%s: a long %s limit is told, and other chats go on unless it is global";
const LOST_SESSION = "%s: after the close %i nothing is missed, whatever is left of the session";
const FINAL_CLOSE = "%s: after the close %i the account has failed, and says what to do";

export const DISCORD_ROWS: Readonly<Record<string, FaultRow>> = {
  D1: {
    shown: [
      "D1: 2,000 characters are sent, and one more is too long",
      "D1: a long answer with code in it arrives in parts that Discord takes, each with whole fences",
    ],
  },
  D2: { shown: ["D2: a message that Discord finds empty is not tried again"] },
  D3: { shown: ["D3: stays within the limits of a card, whatever it is named", FIELDS] },
  D4: { never: "the channel uploads nothing yet", shown: [CODES] },
  D5: {
    shown: [
      "D5: a message whose answer was lost is sent again and stands once",
      "D5: after the nonce's time it is found in the history (which has nonces: %s)",
      "D5: what never arrived is sent after all, also where another delivery said the same",
      "D5: whose answer was lost stands once, also %i minutes later",
    ],
  },
  D6: { shown: ["D6: a thread can be called %j, as far as Discord goes", FIELDS] },
  D7: { shown: ["D7: a public thread stands on a message of the channel, and begins with a hello", FIELDS] },
  D8: { never: "the channel has no webhooks: it speaks as the bot", shown: [FIELDS] },
  D9: { shown: [SHORT_LIMIT, LONG_LIMIT, "D9: a limit that names no time is not called for again at once"] },
  D10: { shown: ["D10: where the headers say that nothing is left nothing is called for"] },
  D11: { shown: [SHORT_LIMIT, LONG_LIMIT] },
  D12: { shown: [SHORT_LIMIT, LONG_LIMIT, "D12: a limit of the whole bot does not keep an acknowledgement back"] },
  D13: {
    shown: [
      "D13: Cloudflare's page with status %s holds the account and is no riddle",
      "D13: Cloudflare's refusal in JSON is the same",
    ],
  },
  D14: { shown: ["D14: every call says which program it is, as Discord asks"] },
  D15: {
    shown: [
      "D15: a token that is none ends the start, and is tried no more",
      "D15: once a call is refused for its token no other is made",
      "D15: reading with a token that was revoked fails the account, and is not tried again",
    ],
  },
  D16: { shown: ["D16: a channel that the bot may not see is gone for it"] },
  D17: {
    shown: [
      "D17: a permission that is missing is named",
      "D17: without the right to open %s threads the refusal names it",
      "D17: what may not be deleted is archived",
      "%s: (%s) goes to its channel, where the reason is told with what is missing",
    ],
  },
  D18: {
    shown: [
      "D18: a channel that is deleted is gone",
      "D18: an answer that is due in a deleted thread",
      "D18: a thread that is deleted is gone",
      "D18, attack 28: a thread that is deleted is told by its id, whatever it is called",
      "D18: with a channel go its threads",
    ],
  },
  D19: {
    shown: [
      "D19: what answers a message that is gone is said all the same",
      "D19, D31: what is gone, or another's, is not edited, and a new message is advised",
      "D19: where somebody deleted the draft the answer is sent",
    ],
  },
  D20: { shown: ["D20: a bot that is taken out of a server ends what it has there, and says so"] },
  D21: {
    shown: [
      "D21: a server that is out of order is no removal, and what was said there is read when it is back",
      "D21: also where the account stops meanwhile",
    ],
  },
  D22: {
    shown: [
      "D22: what is said in an archived thread opens it",
      "D22: before an edit an archived thread is opened, once",
      "%s: opens the thread where the bot may, and is tried once more",
    ],
  },
  D23: {
    shown: [
      "D23: a locked thread is closed for a bot that does not manage threads",
      "D22, D23: a thread that is archived and locked stays so for a bot that does not manage threads",
      "D17, D18, D22, D23: whether a thread can be written to",
    ],
  },
  D24: { shown: ["D24: %s, at %s (%s, call %i), %i minutes later in a new life"] },
  D25: {
    shown: [
      "D25: where the server has too many threads the own one that is quiet for longest makes room",
      "D25: where none of them is its own it says so",
    ],
  },
  D26: { never: "the channel adds nobody to a thread", shown: [CODES] },
  D27: { shown: ["D27: where the bot may not read back it says it without a reply, once"] },
  D28: { shown: ["D28: nothing can be said into a forum itself", "D28: in a forum"] },
  D29: { shown: ["D29: slowmode is a limit of its channel, for as long as Discord says"] },
  D30: {
    shown: [
      "D30: an old message that was edited too often takes no more, and is not tried at once again",
      "D30: a draft too old to be edited goes, and the answer is a new message",
    ],
  },
  D31: { shown: ["D19, D31: what is gone, or another's, is not edited, and a new message is advised"] },
  D32: {
    shown: [
      "D32: what the server's moderation blocks is not tried again",
      "D32: an answer that moderation refuses leaves no half of itself behind",
      "D32: a name that moderation refuses is told, not tried again",
    ],
  },
  D33: { shown: ["D33: a user who takes no direct messages is gone until he writes again"] },
  D34: { shown: ["D34: no call opens a direct chat: an answer goes to the one that was written in", CODES] },
  D35: {
    shown: [
      "D35: a page with status %i leaves open what became of the message",
      "D35: Discord itself says when it is too busy to take anything",
      "D35: an answer that is no JSON leaves it open, too",
    ],
  },
  D36: {
    shown: [
      "attack 16: nothing that the channel says calls anybody (D36, D60), and nothing is refused for its form",
      FIELDS,
    ],
  },
  D37: {
    shown: [
      "D37: it is acknowledged also where the store is slow, within Discord's time",
      "D37: one that is acknowledged too late is heard all the same, and no trouble",
      "D37: while somebody types only choices are an answer, also where nothing is known",
    ],
  },
  D38: { shown: ["D38, attack 11: one that comes twice has one effect and one answer"] },
  D39: {
    never: "the channel sends no follow-ups: what an interaction asks for is answered by a message",
    shown: [CODES],
  },
  D40: {
    never: "the channel has no webhooks: it speaks as the bot",
    shown: [CODES, "D40, D15: an interaction that is refused for its own token says nothing of the bot's"],
  },
  D41: { shown: ["D41: a token that is revoked while the account listens ends it, with the way out"] },
  D42: {
    shown: [
      FINAL_CLOSE,
      "D42, D62: an intent that is taken away later ends the account, and names the portal's switch",
      "D42, D43: without the intent it starts, and hears what mentions it (needs more: %s)",
    ],
  },
  D43: { shown: ["D43: messages without their content are said once, and are nobody's prompt"] },
  D44: { shown: [FINAL_CLOSE] },
  D45: {
    shown: [
      "D45: a connection that breaks is resumed, and nothing is missed or heard twice",
      "D45: a reconnect that Discord asks for resumes the session",
    ],
  },
  D46: {
    shown: [
      "D46, D50: where the session is gone, what was said meanwhile is read",
      "D46: a resume that is closed with %i becomes a new session, and the gap is read",
      "D46: an invalid session begins anew, and the gap is read",
    ],
  },
  D47: { shown: ["D47: an account that stops leaves its session to be resumed", LOST_SESSION] },
  D48: { shown: ["D48: a connection without heartbeats is left, and resumed"] },
  D49: {
    shown: [
      "D49: what comes twice is given under the same id, and counts once",
      "D49: what was stored while its place was not is heard again, under the same id",
    ],
  },
  D50: {
    shown: [
      "D50: where Discord forgot what was missed it is read: READY instead of RESUMED",
      "D50: a new life resumes what the last one had stored; where that is forgotten it reads the gap",
    ],
  },
  D51: {
    shown: [
      "D51: a budget of sessions that is spent is waited for, and said",
      "D51: a session that can be resumed needs none of the budget",
    ],
  },
  D52: {
    never: "the channel sends the gateway nothing but what keeps a connection; the library paces that",
    shown: [LOST_SESSION],
  },
  D53: { shown: ["D53: the bot does not hear itself, and other bots are told apart"] },
  D54: { shown: ["D54: what Discord writes by itself is nobody's message"] },
  D55: {
    shown: [
      "D55: a thread that is told twice is one, and a private one is heard once the bot is in it",
      "D55: a thread that the bot is taken out of is gone for it",
    ],
  },
  D56: { shown: ["D56: a thread that nobody told of, for it was archived, is asked about"] },
  D57: { shown: ["D57: an edit is heard with its time, and a card that was found for a link is no edit"] },
  D58: {
    shown: [
      "D58: what comes in another order is all heard, also by a life that follows a death in between",
      "D58: what waits is stored in the order in which it was said",
    ],
  },
  D59: { shown: ["D59: %s stops nothing", "D59: nulls in a message leave the rest of it"] },
  D60: {
    shown: ["attack 16: nothing that the channel says calls anybody (D36, D60), and nothing is refused for its form"],
  },
  D61: { shown: ["D61: it is shown again before Discord lets it go, until it is stopped"] },
  D62: { shown: ["D42, D62: an intent that is taken away later ends the account, and names the portal's switch"] },
};
