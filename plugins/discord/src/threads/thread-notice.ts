import type { PermissionName } from "../inspection/permission.ts";

/** What happens to all that is due in a thread that takes no message. */
export type ThreadDue = "comes here" | "is not for all" | "goes nowhere" | "has no place";

export interface ThreadNotice {
  readonly threadId: string;
  readonly parentId: string;
  /** The row of the error table. */
  readonly row: string | undefined;
  /** Permissions of the bot's that are missing for it, as far as Discord tells. */
  readonly lacking: readonly PermissionName[];
  readonly due: ThreadDue;
}

const DUE: Readonly<Record<ThreadDue, string>> = {
  "comes here": "What is due there comes here.",
  "is not for all": "What is due there is not shown here, since not everybody here could read the thread.",
  "goes nowhere": 'What is due there is not sent to another place (`threads.fallback` is "refuse").',
  "has no place":
    "What is due there is not shown, since a forum takes no messages of its own. `/subagents send` still works.",
};

/** What people are told of a thread that takes no message any more. */
export function formatThreadNotice(notice: ThreadNotice): string {
  return `${formatReason(notice)} ${DUE[notice.due]}`;
}

function formatReason({ threadId, parentId, row, lacking, due }: ThreadNotice): string {
  const cannot = `I can't write in the thread <#${threadId}> any more`;
  switch (row) {
    case "D18":
      if (due === "has no place") return `A post of <#${parentId}> was deleted.`;
      return "A thread of this channel was deleted while an answer was due in it.";
    case "D16":
      return `${cannot}: I don't see it. Add me to it, or give my role View Channel.`;
    case "D23":
      return `${cannot}: it is locked. Unlock it, or give my role Manage Threads.`;
    case "D22":
      return `${cannot}: it is archived, and I may not open it. Open it, or give my role Manage Threads.`;
    default:
      return `${cannot}: my role lacks ${lacking.join(" and ") || "a permission that Discord does not name"}. Give it that.`;
  }
}
