/** The part of the index of attacks that is about files which people send and agents fetch or send themselves. */
export const FILE_ATTACKS: readonly (readonly [attack: number, file: string, ...titles: string[]])[] = [
  [2, "packages/core/test/sessions/received-attachment.test.ts", "%j is shown as %s"],
  [13, "packages/core/test/tools/attachments/attachment-names.test.ts", "names of attachments"],
  [
    13,
    "packages/core/test/tools/attachments/received-name.test.ts",
    "%j becomes %j",
    "whatever a sender calls a file, its name is one harmless segment of a path",
  ],
  [13, "packages/core/test/tools/attachments/save-attachment.test.ts", "a link in the place of %s leads nowhere"],
  [13, "packages/core/test/tools/messages/message-tool.test.ts", "sends nothing from outside the workspace"],
  [14, "packages/core/test/http/answer-stream.test.ts", "a streamed answer"],
  [14, "packages/core/test/tools/attachments/save-attachment.test.ts", "a file that somebody sends"],
  [15, "plugins/discord/test/files/file-downloader.test.ts", "an address of a file"],
];
