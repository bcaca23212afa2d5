import type { Errand } from "../agents/errand.ts";
import type { GateTrouble } from "../platforms/discord/gate.ts";
import type { Spot, ThreadDeed } from "../platforms/discord/platform-town.ts";
import type { CallFault, CallName, CommitFault, GreetingFault, PointFault, SendFault } from "../world/fault-box.ts";
import type { Group } from "./group.ts";
import type { AccountName, MagpieAccount, Person } from "./person.ts";

/** Something that the seed lets happen. Another kind of event is a line here, a weight in the plan, and its effect. */
export type WorldEvent = { readonly afterMs: number } & (
  | { readonly kind: "says"; readonly person: Person; readonly text: string; readonly errand: Errand }
  | {
      readonly kind: "says_in_group";
      readonly group: Group;
      readonly person: Person;
      readonly isAddressed: boolean;
      readonly text: string;
      readonly errand: Errand;
    }
  /** On the platform with threads. */
  | {
      readonly kind: "says_in_guild";
      readonly person: Person;
      readonly spot: Spot;
      readonly isAddressed: boolean;
      readonly text: string;
      readonly errand: Errand;
    }
  | { readonly kind: "touch_thread"; readonly place: number; readonly deed: ThreadDeed }
  | { readonly kind: "gate_trouble"; readonly how: GateTrouble }
  | { readonly kind: "guild_outage"; readonly forMs: number }
  | { readonly kind: "call_fault"; readonly call: CallName; readonly fault: CallFault }
  /** For so long nothing new happens. */
  | { readonly kind: "lull" }
  | { readonly kind: "edit"; readonly place: number }
  /** Somebody deletes a message of the bot that can be edited. */
  | { readonly kind: "delete_of_bot"; readonly account: MagpieAccount; readonly place: number }
  | { readonly kind: "settle_pairing"; readonly person: Person; readonly to: "approve" | "deny" }
  /** The code that one account was told is sent by the other. */
  | { readonly kind: "redeem"; readonly person: Person; readonly of: Person }
  | { readonly kind: "operator_link"; readonly people: readonly Person[] }
  | { readonly kind: "operator_unlink"; readonly person: Person }
  /** The operator moves a conversation to a key that nobody has, or back. */
  | { readonly kind: "rekey"; readonly person: Person; readonly shelf: string; readonly isBack: boolean }
  /** The operator ends a run that is at work, or deletes a session, whichever the number falls on. */
  | { readonly kind: "kill_run"; readonly place: number }
  | { readonly kind: "delete_session"; readonly place: number; readonly ofChild: boolean }
  /** A program ends a conversation by the API, whichever the number falls on. */
  | { readonly kind: "reset"; readonly place: number; readonly ofChild: boolean }
  /** The platform gives a group another id; `isTold`: it says so by itself. */
  | { readonly kind: "migrate"; readonly group: Group; readonly isTold: boolean }
  | { readonly kind: "burst"; readonly person: Person; readonly count: number }
  | { readonly kind: "repeat"; readonly place: number }
  | { readonly kind: "drop"; readonly how: "resumes" | "forgetful" | "session_lost" }
  | { readonly kind: "lose_poll"; readonly account: AccountName }
  | { readonly kind: "send_fault"; readonly account: AccountName; readonly fault: SendFault }
  | { readonly kind: "greeting_fault"; readonly account: AccountName; readonly fault: GreetingFault }
  | { readonly kind: "commit_fault"; readonly step: string; readonly fault: CommitFault }
  | { readonly kind: "point_fault"; readonly point: string; readonly fault: PointFault }
  | { readonly kind: "outage"; readonly forMs: number }
  | { readonly kind: "full"; readonly forMs: number }
  | { readonly kind: "crash" }
  | { readonly kind: "pause" }
  | { readonly kind: "stop" }
  | { readonly kind: "jump"; readonly byMs: number }
);

export type EventKind = WorldEvent["kind"];
