export interface TabList {
  readonly channel: string;
  readonly title: string;
  readonly tabs: readonly ChatTab[];
}

export interface ChatTab {
  readonly name: string;
  readonly title: string;
  readonly place?: string;
  readonly marks: readonly string[];
  readonly isThread: boolean;
  /** Something was said there that nobody has looked at. */
  readonly isNews: boolean;
  readonly isChosen: boolean;
}

/** The chats of one platform, each server's under its name. */
export function buildChatTabs({ channel, title, tabs }: TabList, choose: (name: string) => void): HTMLElement {
  const heading = document.createElement("h2");
  heading.id = `desk-${channel}`;
  const note = document.createElement("small");
  note.textContent = "emulated";
  heading.append(title, " ", note);
  const list = document.createElement("div");
  list.role = "tablist";
  list.ariaOrientation = "vertical";
  list.ariaLabel = title;
  let place: string | undefined;
  for (const tab of tabs) {
    if (tab.place !== place) list.append(buildPlace(tab.place ?? "Direct"));
    place = tab.place;
    list.append(buildTab(tab, choose));
  }
  const group = document.createElement("section");
  group.append(heading, list);
  return group;
}

function buildPlace(name: string): HTMLElement {
  const place = document.createElement("span");
  place.role = "presentation";
  place.className = "place";
  place.textContent = name;
  return place;
}

function buildTab({ name, title, marks, isThread, isNews, isChosen }: ChatTab, choose: (name: string) => void) {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.role = "tab";
  tab.ariaSelected = String(isChosen);
  tab.className = [...(isThread ? ["thread"] : []), ...(isNews ? ["news"] : []), ...marks].join(" ");
  const label = document.createElement("span");
  label.textContent = title;
  tab.append(label);
  tab.title = title;
  if (marks.length > 0) {
    const note = document.createElement("small");
    note.textContent = marks.join(", ");
    tab.append(note);
  }
  tab.addEventListener("click", () => choose(name));
  return tab;
}
