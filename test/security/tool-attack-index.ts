/** The part of the index of attacks that is about what agents do with files and programs. */
export const TOOL_ATTACKS: readonly (readonly [attack: number, ...titles: string[]])[] = [
  [1, "%s is dangerous"],
  [1, "%j is no command without a shell"],
  [
    1,
    "a model that asks for tools it has not is refused each time, whatever it was told, and it stands in the audit",
    "a command line is one program: nothing is chained, substituted or piped",
  ],
  [6, "the session of another person's sub-agent is as unknown as one that is nowhere"],
  [
    13,
    "neither a written file nor a program's argument leads out of the workspace, or into what is the host's",
    "a link that takes a folder's place between the check and the writing leads nowhere",
    "a program is given nothing that git runs by itself before a person has allowed it",
  ],
  [
    18,
    "a program gets no secret of the gateway by its environment, and none that it finds is told",
    "the file with the tokens is shown to no tool",
  ],
  [18, "a program gets what is on the list and holds no secret, and nothing else"],
  [19, "a child's tools"],
  [
    19,
    "what a program starts ends with it, also what has left its group",
    "a strict agent starts no process, whatever its tools say",
  ],
  [23, "a pattern that a regular expression would never end with ends at once"],
  [32, "output without end is bounded, in memory and in what the agent reads"],
];
