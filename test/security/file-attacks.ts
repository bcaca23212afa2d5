/** The part of the index of attacks that is about files which people send and agents fetch or send themselves. */
export const FILE_ATTACKS: readonly (readonly [attack: number, ...titles: string[]])[] = [
  [2, "%j is shown as %s"],
  [13, "names of attachments"],
  [13, "%j becomes %j", "whatever a sender calls a file, its name is one harmless segment of a path"],
  [13, "a link in the place of %s leads nowhere"],
  [13, "sends nothing from outside the workspace"],
  [14, "a streamed answer"],
  [14, "a file that somebody sends"],
  [15, "an address of a file"],
];
