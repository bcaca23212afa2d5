/** The part of the index of attacks that is about secrets in files and output, and about programs that others start. */
export const SECRET_ATTACKS: readonly (readonly [attack: number, ...titles: string[]])[] = [
  [
    34,
    "a file that holds a secret is shown in no part, neither by offsets nor by a program",
    "what a program prints of a secret is shown in no half where the output is cut",
    "files of tokens and the configuration are shown to no tool, wherever they are",
  ],
  [34, "no half of a secret is shown where the output is cut, wherever it is in it"],
  [34, "no secret is missed where two pieces of a file meet"],
  [
    34,
    "no part of a secret is shown while the rest of it has not come, and what only looks like one is",
    "a secret of 16,000 characters is shown at no time, in whatever pieces it comes",
    "the last line of an answer that grows ends before what may be a secret",
  ],
  [
    35,
    "a program has an empty home that nobody else can open, and the workspace is not it",
    "git does not run where a repository's settings name a program, and the refusal names what",
    "git starts no program that a repository or the machine's settings name, also where it is allowed to read them",
    "no local folder is a remote, for its settings would count at that end, and no repository is around the workspace",
    "a subcommand that is denied stays denied, whatever options stand before it",
    "an argument that makes an allowed program run another one needs a permission of its own",
  ],
  [
    35,
    "settings are read without git: %s",
    "settings that are elsewhere are not taken for harmless: %s",
    "the settings of every repository of a workspace count, wherever git would find them",
  ],
  [
    35,
    "a setting that names a program needs a permission of its own, also to be asked for",
    "git's head is read as git reads it: %s",
    "%s runs code where a command is closed",
    "%s starts another program",
    "only a closed list of subcommands is open with git: %s",
  ],
  [35, "a home that a killed gateway has left is removed by the next one, and no other"],
];
