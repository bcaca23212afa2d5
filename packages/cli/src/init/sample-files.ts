/** The content of a new workspace, by path. Three files in docs/, so that the demo agent shows how it splits a count. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "README.md": `# Workspace

This folder belongs to your agent: it reads and writes files here, and nowhere else.
The files in docs/ are samples. Replace them with your own.
`,
  "docs/first-steps.md": `# First steps

Open the web chat with the address that banyan start prints, or write in the terminal with banyan chat.

- count words in docs: three sub-agents count the words of these files.
- calc 2 * (3 + 4): the answer comes at once.
- help: everything that the demo agent knows.
`,
  "docs/sub-agents.md": `# Sub-agents

A sub-agent works on one task in its own session. Its result comes back to the chat, also after a restart.

/agents lists those at work, /tree shows who started whom, and /kill stops one.
`,
  "docs/next.md": `# Next

Run banyan init --force to add a Telegram bot, a Discord bot or a language model.
Run banyan doctor to check the setup, and banyan status to see what is running.
`,
};
