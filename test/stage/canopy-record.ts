import type { CanopyAnswers, CanopyCalls, CanopyPlace } from "./canopy-wire.ts";

/** What the platform took: the witness. */
export interface CanopyMessage {
  /** The platform's id of it. */
  readonly id: string;
  readonly key: string;
  readonly place: CanopyPlace;
  readonly text: string;
  readonly kind: string;
  /** How often it was sent again under the same key, and known as a repeat. */
  repeats: number;
  /** What the gateway said at each attempt that came in: whether an earlier one may have. */
  readonly doubts: (boolean | undefined)[];
  readonly turnId?: string | undefined;
}

export interface CanopyThread {
  readonly id: string;
  readonly bindingId: string;
  readonly place: CanopyPlace;
  readonly hello: string;
  name: string;
  state: "open" | "archived" | "gone";
  /** How often it was asked for. */
  opens: number;
}

/** What the platform says no with. */
export class CanopyRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Everything the platform has taken, and what a repeat is known by. It belongs to no gateway. */
export class CanopyRecord {
  readonly messages: CanopyMessage[] = [];
  readonly threads: CanopyThread[] = [];

  take({ key, place, text, kind, mayHaveArrived, turnId }: CanopyCalls["send"]): CanopyAnswers["send"] {
    const known = this.messages.find((message) => message.key === key);
    if (known !== undefined) {
      known.repeats += 1;
      known.doubts.push(mayHaveArrived);
      return { id: known.id };
    }
    const thread = place.thread === undefined ? undefined : this.#getThread(place.thread);
    if (thread?.state === "gone") throw new CanopyRefusal(404, "there is no such thread");
    // What is written into an archived thread opens it again.
    if (thread !== undefined) thread.state = "open";
    const id = `p${this.messages.length + 1}`;
    this.messages.push({ id, key, place, text, kind, repeats: 0, doubts: [mayHaveArrived], turnId });
    return { id };
  }

  open({ bindingId, parent, name, hello }: CanopyCalls["open"]): CanopyAnswers["open"] {
    const known = this.threads.find((thread) => thread.bindingId === bindingId);
    if (known !== undefined) {
      known.opens += 1;
      return { place: known.place };
    }
    const id = `t${this.threads.length + 1}`;
    const place = { kind: parent.kind, chat: parent.chat, thread: id };
    this.threads.push({ id, bindingId, place, hello, name, state: "open", opens: 1 });
    return { place };
  }

  withdraw({ bindingId }: CanopyCalls["withdraw"]): CanopyAnswers["withdraw"] {
    for (const thread of this.threads) if (thread.bindingId === bindingId) thread.state = "gone";
    return {};
  }

  archive({ bindingId, thread: id, name, goodbye }: CanopyCalls["archive"]): CanopyAnswers["archive"] {
    const thread = this.#getStanding(id);
    // Who asks again has said goodbye already.
    if (goodbye !== undefined && thread.state === "open")
      this.take({ key: `goodbye|${bindingId}`, place: thread.place, text: goodbye, kind: "goodbye" });
    thread.state = "archived";
    thread.name = name ?? thread.name;
    return {};
  }

  rename({ thread: id, name }: CanopyCalls["rename"]): CanopyAnswers["rename"] {
    const thread = this.#getStanding(id);
    if (thread.state === "open") thread.name = name;
    return {};
  }

  /** A moderator deletes the thread. */
  deleteThread(id: string): CanopyPlace {
    const thread = this.#getThread(id);
    thread.state = "gone";
    return thread.place;
  }

  #getStanding(id: string): CanopyThread {
    const thread = this.#getThread(id);
    if (thread.state === "gone") throw new CanopyRefusal(404, "there is no such thread");
    return thread;
  }

  #getThread(id: string): CanopyThread {
    const thread = this.threads.find((known) => known.id === id);
    if (thread === undefined) throw new CanopyRefusal(404, "there is no such thread");
    return thread;
  }
}
