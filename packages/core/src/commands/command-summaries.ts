/** What the commands do, in a few words of other languages: for lists that platforms show in the language of their app. */

const GERMAN: Readonly<Record<string, string>> = {
  help: "was ich hier kann",
  status: "dieses Gespräch: Agent, Zustand, Umfang",
  new: "ein neues Gespräch beginnen (auch /reset); Text wird dessen erste Nachricht",
  stop: "die Antwort anhalten, die gerade entsteht",
  whoami: "deine Kennung hier und das Gespräch, in dem du bist",
  link: "ein Gespräch über mehrere Kanäle führen",
  unlink: "dieses Konto wieder für sich",
  answer: "antworten, wenn ein Agent etwas fragt, etwa allow oder deny",
  queue: "was hier wartet, und was eine Nachricht tut, während ich arbeite",
  spawn: "einem Unteragenten eine Aufgabe geben",
  tree: "die Unteragenten dieses Gesprächs und wie es um sie steht",
  subagents: "die Unteragenten dieses Gesprächs sehen und lenken",
  kill: "einen Unteragenten und alle unter ihm anhalten",
  retry: "noch einmal senden, was von einem Ergebnis nicht ankam",
  agents: "wer hier antwortet und wem man Aufgaben geben kann",
  focus: "hier mit einem Unteragenten reden; /unfocus führt zurück",
  unfocus: "hier wieder mit dem Agenten reden",
  session: "wie lange ein Unteragent dieses Gespräch behält",
};

/** By ISO 639-1 code; `undefined` for a command that has none. */
export function findSummaries(name: string): Readonly<Record<string, string>> | undefined {
  const german = GERMAN[name];
  return german === undefined ? undefined : { de: german };
}
