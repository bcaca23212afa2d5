import { type Address, ChannelError, formatAddress, parseAddress, type ThreadsAbility } from "@banyan/plugin-sdk";

/** Threads of an account as its platform has them. */
export class ThreadAccount implements ThreadsAbility {
  /** What was done, in order. */
  readonly done: string[] = [];
  readonly goodbyes: string[] = [];
  /** The platform does not answer. */
  isDown = false;
  /** Its threads are deleted. */
  isGone = false;
  /** A spawn waits for its thread as long as this does. */
  opening: Promise<void> = Promise.resolve();

  async open(request: {
    readonly bindingId: string;
    readonly parent: Address;
    readonly name: string;
  }): Promise<{ address: Address }> {
    await this.opening;
    this.#note(`open ${request.name}`);
    return { address: formatAddress({ ...parseAddress(request.parent), thread: request.bindingId.slice(0, 8) }) };
  }

  async withdraw(): Promise<void> {
    this.#note("withdraw");
  }

  async archive({ name, goodbye }: Parameters<ThreadsAbility["archive"]>[0]): Promise<void> {
    this.#note(`archive ${name ?? "as it is"}`);
    if (goodbye !== undefined) this.goodbyes.push(goodbye);
  }

  async rename({ name }: { address: Address; name: string }): Promise<void> {
    this.#note(`rename ${name}`);
  }

  async probe(): Promise<"open" | "gone"> {
    if (this.isDown) throw new ChannelError("ambiguous", "A thread was looked at: the platform is down");
    return this.isGone ? "gone" : "open";
  }

  #note(what: string): void {
    if (this.isGone) throw new ChannelError("thread_gone", "A thread was asked for: it is deleted");
    if (this.isDown) throw new ChannelError("ambiguous", "A thread was asked for: the platform is down");
    this.done.push(what);
  }
}
