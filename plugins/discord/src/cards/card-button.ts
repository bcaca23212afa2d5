/** The buttons below a completion. */
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  APIButtonComponentWithURL,
  APIComponentInMessageActionRow,
} from "discord.js";

/** What stands below a completion; each only where it is given. */
export interface CardButtons {
  /** Of the child's thread. */
  readonly threadUrl?: string;
  /** The signed ids of `formatButtonId`. */
  readonly retryId?: string;
  readonly killId?: string;
}

/** `ComponentType.ActionRow`, `.Button`; `ButtonStyle.Secondary`, `.Success`, `.Danger`, `.Link`. */
const ROW = 1;
const BUTTON = 2;
const GREY = 2;
const GREEN = 3;
const RED = 4;
const LINK = 5;
/** "Button", docs.discord.com/developers/components/reference. */
const LABEL_LIMIT_CHARS = 80;

/** Where Discord's apps show a thread, which is a channel of its own there. */
export function formatThreadUrl(guildId: string, threadId: string): string {
  return `https://discord.com/channels/${guildId}/${threadId}`;
}

/** `undefined` where there is no button: an empty row is refused. */
export function buildButtonRow(
  buttons: CardButtons,
): APIActionRowComponent<APIComponentInMessageActionRow> | undefined {
  const { threadUrl, retryId, killId } = buttons;
  const components = [
    ...(threadUrl === undefined ? [] : [buildLink("Open thread", threadUrl)]),
    ...(retryId === undefined ? [] : [buildPress("Try again", GREY, retryId)]),
    ...(killId === undefined ? [] : [buildPress("Stop", RED, killId)]),
  ];
  return components.length === 0 ? undefined : { type: ROW, components };
}

/** A button for each choice of a question, in its order: green for a yes, red for a no. */
export function buildChoiceRow(
  choices: readonly { readonly label: string; readonly isAllowing: boolean; readonly id: string }[],
): APIActionRowComponent<APIComponentInMessageActionRow> {
  const components = choices.map(({ label, isAllowing, id }) =>
    buildPress(label.slice(0, LABEL_LIMIT_CHARS), isAllowing ? GREEN : RED, id),
  );
  return { type: ROW, components };
}

function buildLink(label: string, url: string): APIButtonComponentWithURL {
  return { type: BUTTON, style: LINK, label, url };
}

function buildPress(
  label: string,
  style: typeof GREY | typeof GREEN | typeof RED,
  id: string,
): APIButtonComponentWithCustomId {
  return { type: BUTTON, style, label, custom_id: id };
}
