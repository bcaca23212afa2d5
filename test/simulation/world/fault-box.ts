import type { AccountName } from "../events/person.ts";

/** What can happen to one message on its way to a platform. */
export const SEND_FAULTS = [
  "chat_limit",
  "account_limit",
  "refused_connection",
  "lost_before",
  "lost_after",
  "hangs_before",
  "hangs_after",
  "chat_gone",
  "odd_throw",
  "odd_receipt",
] as const;
export type SendFault = (typeof SEND_FAULTS)[number];

/** What can happen to one call of the platform with threads, whatever it is for; `falls`: from then on none is reached. */
export const CALL_FAULTS = [
  "route_limit",
  "account_limit",
  "unsent",
  "lost_before",
  "lost_after",
  "hangs_before",
  "hangs_after",
  "trouble_before",
  "trouble_after",
  "falls_before",
  "falls_after",
  "crash_before",
  "crash_after",
] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** What a call is for. */
export const CALLS = ["any", "send", "starter", "thread", "line", "read", "look", "change", "delete"] as const;
export type CallName = (typeof CALLS)[number];

export const COMMIT_FAULTS = ["unknown_before", "unknown_after", "full", "crash_before", "crash_after"] as const;
export type CommitFault = (typeof COMMIT_FAULTS)[number];

/** What can happen to a process that connects. */
export type GreetingFault = "hangs" | "odd_throw";

export type PointFault = "crash" | "pause";

/** Faults that wait for the moment they were meant for. */
export class FaultBox {
  readonly #sends = new Map<AccountName, SendFault[]>();
  readonly #commits: { readonly step: string; readonly fault: CommitFault }[] = [];
  readonly #points: { readonly point: string; readonly fault: PointFault; isDue(): boolean }[] = [];
  readonly #greetings = new Map<AccountName, GreetingFault>();
  readonly #polls = new Map<AccountName, number>();
  readonly #calls: { readonly call: CallName; readonly fault: CallFault }[] = [];

  addSend(account: AccountName, fault: SendFault): void {
    this.#sends.set(account, [...(this.#sends.get(account) ?? []), fault]);
  }

  takeSend(account: AccountName): SendFault | undefined {
    return this.#sends.get(account)?.shift();
  }

  /** For the next call of that name, `any` for whichever comes first. */
  addCall(call: CallName, fault: CallFault): void {
    this.#calls.push({ call, fault });
  }

  takeCall(call: CallName): CallFault | undefined {
    const place = this.#calls.findIndex((fault) => fault.call === call || fault.call === "any");
    return place < 0 ? undefined : this.#calls.splice(place, 1)[0]?.fault;
  }

  /** For the next step of that name, `any` for whichever comes first. */
  addCommit(step: string, fault: CommitFault): void {
    this.#commits.push({ step, fault });
  }

  takeCommit(step: string): CommitFault | undefined {
    const place = this.#commits.findIndex((fault) => fault.step === step || fault.step === "any");
    return place < 0 ? undefined : this.#commits.splice(place, 1)[0]?.fault;
  }

  /** For the next process that passes the point when it is due. */
  addPoint(point: string, fault: PointFault, isDue: () => boolean = () => true): void {
    this.#points.push({ point, fault, isDue });
  }

  /** Faults at points that nobody has passed yet. */
  get waitingPoints(): number {
    return this.#points.length;
  }

  takePoint(point: string): PointFault | undefined {
    const place = this.#points.findIndex((fault) => fault.point === point && fault.isDue());
    return place < 0 ? undefined : this.#points.splice(place, 1)[0]?.fault;
  }

  /** The answer to the account's next poll is lost. */
  losePoll(account: AccountName): void {
    this.#polls.set(account, (this.#polls.get(account) ?? 0) + 1);
  }

  takePoll(account: AccountName): boolean {
    const count = this.#polls.get(account) ?? 0;
    if (count > 0) this.#polls.set(account, count - 1);
    return count > 0;
  }

  addGreeting(account: AccountName, fault: GreetingFault): void {
    this.#greetings.set(account, fault);
  }

  takeGreeting(account: AccountName): GreetingFault | undefined {
    const fault = this.#greetings.get(account);
    this.#greetings.delete(account);
    return fault;
  }

  clear(): void {
    this.#greetings.clear();
    this.#sends.clear();
    this.#polls.clear();
    this.#calls.length = 0;
    this.#commits.length = 0;
    this.#points.length = 0;
  }
}
