const STORAGE_KEY = "banyan.draft";

export interface ComposerParts {
  readonly form: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  readonly button: HTMLButtonElement;
  send(text: string): void;
}

/** The box to write in. What is not sent yet stays in it, also over a reload. */
export class Composer {
  readonly #parts: ComposerParts;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
    const { form, box } = parts;
    box.value = sessionStorage.getItem(STORAGE_KEY) ?? "";
    box.addEventListener("input", () => this.#fit());
    box.addEventListener("keydown", (event) => {
      // While an input method composes, Enter chooses a word.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#fit();
  }

  /** Puts a text before what is in the box. */
  put(text: string): void {
    const { box } = this.#parts;
    box.value = box.value.trim() === "" ? text : `${text}\n\n${box.value}`;
    this.#fit();
    box.focus();
  }

  #submit(): void {
    const { box, send } = this.#parts;
    const text = box.value.trimEnd();
    if (text === "") return;
    box.value = "";
    this.#fit();
    box.focus();
    // Half a character can come from a cut paste; the server takes whole ones only.
    send(text.toWellFormed());
  }

  #fit(): void {
    const { box, button } = this.#parts;
    button.disabled = box.value.trim() === "";
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
    try {
      sessionStorage.setItem(STORAGE_KEY, box.value);
    } catch (error) {
      // Over the browser's quota: the text is still in the box.
      console.warn("The draft is not kept over a reload", error);
    }
  }
}
