/** What a page is made of besides the chat. */
export interface PageParts {
  readonly title: string;
  readonly assetsPath: string;
  /** `.ts` or `.js`. */
  readonly scriptEnding: string;
  /** Beside the chat's own, by name without ending. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Stands before the chat. */
  readonly before?: string;
}

/** A page with the chat. Everything that changes is written by its scripts, as text. */
export function buildChatHtml(parts: PageParts): string {
  const { title, assetsPath, scriptEnding, styles = [], scripts = [], before = "" } = parts;
  const links = ["chat", "tree", ...styles].map((name) => `<link rel="stylesheet" href="${assetsPath}/${name}.css">`);
  const modules = ["chat", ...scripts].map(
    (name) => `<script type="module" src="${assetsPath}/${name}${scriptEnding}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${assetsPath}/icon.svg">
${[...links, ...modules].join("\n")}
</head>
<body>
${before}<main class="chat">
  <h1 class="unseen">Banyan</h1>
  <div class="scroll" id="scroll" tabindex="0" aria-label="Conversation">
    <div class="column">
      <p class="empty" id="empty" hidden><img src="${assetsPath}/icon.svg" alt="">No messages yet. Try “count words in docs”.</p>
      <ol class="messages" id="messages" role="log" aria-live="polite" aria-label="Messages" aria-busy="true"></ol>
      <ol class="messages" id="growing" aria-label="Answers being written" aria-live="off"></ol>
    </div>
  </div>
  <form class="composer column" id="composer">
    <p class="status" id="status" role="status" hidden></p>
    <div class="box">
      <label class="unseen" for="text">Message</label>
      <textarea id="text" rows="1" placeholder="Write a message" autocomplete="off" autofocus></textarea>
      <button type="submit" id="send" aria-label="Send" title="Send (Enter)" disabled>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 16V4M4.5 9.5 10 4l5.5 5.5"/></svg>
      </button>
    </div>
  </form>
</main>
<aside class="tree" id="tree" aria-label="Sub-agents" hidden></aside>
<noscript><p class="noscript">The chat needs JavaScript. In a terminal, <code>banyan chat</code> is the same conversation.</p></noscript>
</body>
</html>
`;
}
