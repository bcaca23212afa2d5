import { formatElapsedTime } from "./elapsed-time.ts";
import { countUnfinished, type RunTree, type TreeRun } from "./run-tree.ts";

const TICK_MS = 1_000;

interface Row {
  readonly item: HTMLElement;
  readonly name: HTMLElement;
  readonly words: HTMLElement;
  readonly time: HTMLElement;
  readonly tokens: HTMLElement;
  readonly note: HTMLElement;
  readonly delivery: HTMLElement;
  readonly below: HTMLElement;
  run: TreeRun;
}

/** Shows the sub-agents of the chat; nothing until there is one. Touches only what has changed. */
export class RunTreeView {
  readonly #aside: HTMLElement;
  readonly #count: HTMLElement = build("small", "runs-count");
  readonly #list: HTMLElement = build("ul", "runs");
  readonly #rest: HTMLElement = build("p", "runs-rest");
  readonly #rows = new Map<string, Row>();
  #shownAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(aside: HTMLElement) {
    this.#aside = aside;
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    details.open = true;
    summary.append("Sub-agents ", this.#count);
    details.append(summary, this.#list, this.#rest);
    aside.append(details);
  }

  show({ runs, hidden }: RunTree): void {
    this.#shownAt = performance.now();
    const seen = new Set<string>();
    this.#fill(this.#list, runs, seen);
    for (const id of this.#rows.keys()) if (!seen.has(id)) this.#rows.delete(id);
    const working = countUnfinished(runs);
    write(this.#count, working === 0 ? "" : `${working} at work`);
    write(this.#rest, hidden === 0 ? "" : `and ${hidden} more`);
    this.#aside.hidden = runs.length === 0;
    clearInterval(this.#ticking);
    this.#ticking = working === 0 ? undefined : setInterval(() => this.#tick(), TICK_MS);
  }

  #fill(list: HTMLElement, runs: readonly TreeRun[], seen: Set<string>): void {
    const items = runs.map((run) => {
      seen.add(run.id);
      const row = this.#rows.get(run.id) ?? createRow(run);
      this.#rows.set(run.id, row);
      fillRow(row, run);
      this.#fill(row.below, run.children, seen);
      return row.item;
    });
    for (const old of [...list.children]) if (!items.some((item) => item === old)) old.remove();
    let place = list.firstElementChild;
    for (const item of items) {
      if (item === place) place = place.nextElementSibling;
      else list.insertBefore(item, place);
    }
  }

  /** The server's clock counts: since its answer only the time that went by here is added. */
  #tick(): void {
    const sinceMs = performance.now() - this.#shownAt;
    for (const { run, time } of this.#rows.values()) {
      if (run.isUnfinished) write(time, formatElapsedTime(run.ms + sinceMs));
    }
  }
}

function createRow(run: TreeRun): Row {
  const item = document.createElement("li");
  const head = build("div", "run-head");
  const row = {
    item,
    run,
    name: build("b", "run-name"),
    words: build("span", "run-words"),
    time: build("span", "run-time"),
    tokens: build("span", "run-tokens"),
    note: build("p", "run-note"),
    delivery: build("p", "run-delivery"),
    below: build("ul", "runs"),
  };
  head.append(row.name, row.words, row.time, row.tokens);
  item.append(head, row.note, row.delivery, row.below);
  return row;
}

function fillRow(row: Row, run: TreeRun): void {
  row.run = run;
  row.item.className = `run ${run.isUnfinished ? "unfinished" : "ended"} ${run.status}`;
  row.delivery.classList.toggle("alarm", run.isUndelivered === true);
  row.item.dataset.run = run.id;
  write(row.name, run.name);
  write(row.words, run.words);
  write(row.time, formatElapsedTime(run.ms));
  write(row.tokens, run.tokens === undefined ? "" : `${run.tokens} tokens`);
  write(row.note, run.note ?? "");
  write(row.delivery, run.delivery ?? "");
}

function build(tag: "ul" | "p" | "div" | "b" | "span" | "small", className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** As text: what is written comes from outside. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}
