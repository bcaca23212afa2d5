/** The part of the index of attacks that a hostile model tries in each runtime, and a plugin that lies. */
export const HOSTILE_ATTACKS: readonly (readonly [attack: number, file: string, ...titles: string[]])[] = [
  [
    1,
    "test/security/hostile-orders.test.ts",
    "whatever a model was told, no tool that it has not is called, in the runtime %s",
    "no argument leads out of the chat, the session or the workspace, in the runtime %s",
  ],
  [
    2,
    "test/security/injected-data.test.ts",
    "quotes, names, titles and files are labelled data, and in no system prompt, in the runtime %s",
  ],
  [
    3,
    "test/security/frozen-routes.test.ts",
    "a result that names another chat is told where it was asked for, though the model obeys it, in the runtime %s",
  ],
  [
    4,
    "test/security/forged-completions.test.ts",
    "a completion that a person or the model itself writes is only said, in the runtime %s",
  ],
  [
    5,
    "test/security/forged-items.test.ts",
    "a completion that a plugin brings is what its person said, and ends nothing",
    "a plugin speaks, reads and moves for its own account alone",
    "a plugin taps hooks and cannot call them",
  ],
  [
    6,
    "test/security/hostile-orders.test.ts",
    "a model that is told somebody else's session reads and tells nothing there, in the runtime %s",
  ],
];
