import type { MessageDraft } from "./message.ts";
import { buildTopicFields, type Topic } from "./topic.ts";

/** The topics of one chat, and what a message carries that belongs to one. */
export class TopicList {
  readonly #topics = new Map<number, Topic>();

  /** By their ids, deleted ones too. */
  get all(): ReadonlyMap<number, Topic> {
    return this.#topics;
  }

  set(topic: Topic): Topic {
    this.#topics.set(topic.id, topic);
    return topic;
  }

  /**
   * The draft of message `id` as it belongs to a thread: where that is a topic, it says so, and what answers nothing there
   * "answers" the topic's beginning.
   */
  place(draft: MessageDraft, thread: number, id: number): MessageDraft {
    const topic = this.#topics.get(thread);
    if (topic === undefined) return { ...draft, extra: { message_thread_id: thread, ...draft.extra } };
    const replyTo = draft.replyTo ?? (id === topic.id ? undefined : topic.id);
    const extra = { ...buildTopicFields(topic), ...draft.extra };
    return { ...draft, extra, ...(replyTo !== undefined && { replyTo }) };
  }
}

/** The thread that a draft names by its id. */
export function findNamedThread({ extra }: Pick<MessageDraft, "extra">): number | undefined {
  return typeof extra?.message_thread_id === "number" ? extra.message_thread_id : undefined;
}
