import type { Script } from "@banyan/runtime-demo";

/** An agent that asks before it digs, and says what was chosen. */
export const askingScript: Script = (turn) => async () => {
  const verdict = await turn.input.askPermission({
    id: "dig",
    text: "May I dig a well?",
    choices: [
      { id: "allow", label: "Allow", isAllowing: true },
      { id: "deny", label: "Deny", isAllowing: false },
    ],
  });
  await turn.say(verdict.kind === "chosen" ? `chosen: ${verdict.choice.label}` : `denied: ${verdict.why}`);
  return undefined;
};
