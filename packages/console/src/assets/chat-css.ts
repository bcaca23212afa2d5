export const CHAT_CSS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fcfbf9, #161816);
  --raised: light-dark(#ffffff, #1f2220);
  --own: light-dark(#e9f0ea, #26352c);
  --ink: light-dark(#22261f, #e4e6e1);
  --faint: light-dark(#6b7168, #949b93);
  --line: light-dark(#e2e2db, #323733);
  --accent: light-dark(#2f6b4b, #7fbf9b);
  --on-accent: light-dark(#ffffff, #10241a);
  --code: light-dark(#f2f1ec, #101210);
  --alarm: light-dark(#a3341f, #f0937f);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.55 var(--sans);
  overflow: hidden;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
.chat { display: grid; grid-template-rows: minmax(0, 1fr) auto; height: 100dvh; min-width: 0; }
.scroll { overflow: hidden auto; overscroll-behavior: contain; scrollbar-width: thin; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.column { width: 100%; max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
.scroll > .column { min-height: 100%; padding-block: 1.5rem 1rem; display: flex; flex-direction: column; justify-content: flex-end; }
.empty { color: var(--faint); text-align: center; margin: auto; }
.empty img { display: block; width: 3rem; margin: 0 auto .75rem; }

.messages { list-style: none; margin: 0; padding: 0; }
.message { margin: 0 0 1.1rem; overflow-wrap: anywhere; }
.message > header { display: flex; gap: .5rem; align-items: baseline; font-size: .8rem; color: var(--faint); margin-bottom: .1rem; }
.message > header > b { color: var(--accent); font-weight: 600; }
.message.user { display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: flex-end; gap: 0 .6rem; }
.message.user > .text { background: var(--own); border-radius: 1rem 1rem .25rem 1rem; padding: .5rem .9rem; max-width: min(100% - 6rem, 36rem); white-space: pre-wrap; }
.message.pending > .text { opacity: .6; }
.message.failed > .text { box-shadow: inset 0 0 0 1px var(--alarm); }
.message.aside > .text { color: var(--faint); font-size: .925rem; border-left: 2px solid var(--line); padding-left: .75rem; }
.message.growing > .text::after { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-left: .4rem; border-radius: 50%; background: var(--accent); animation: breathe 1.4s ease-in-out infinite; }
.problem { flex-basis: 100%; color: var(--alarm); font-size: .85rem; margin: .3rem 0 0; text-align: right; }
.problem button { font: inherit; color: inherit; background: none; border: 0; padding: .1rem .2rem; text-decoration: underline; cursor: pointer; }
@keyframes breathe { 50% { opacity: .25; } }

.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: 0; }
.text p, .text ul, .text ol, .text pre { margin: 0 0 .75rem; }
.text h2, .text h3, .text h4 { font-size: 1.05rem; line-height: 1.3; margin: 1.1rem 0 .5rem; }
.text h2 { font-size: 1.15rem; }
.text ul, .text ol { padding-left: 1.4rem; }
.text ul { list-style: disc; }
.text li { margin: .2rem 0; }
.text li > :last-child { margin-bottom: 0; }
.text a { color: var(--accent); text-underline-offset: .15em; }
.text code { font: .875em/1.5 var(--mono); background: var(--code); border-radius: .3rem; padding: .1em .3em; }
.text pre { background: var(--code); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem .9rem; overflow-x: auto; overflow-wrap: normal; scrollbar-width: thin; }
.text pre code { background: none; padding: 0; }
.message.growing .text > p:last-child, .message.growing .text > h2:last-child { display: inline; }

.composer { padding-block: .25rem max(1rem, env(safe-area-inset-bottom)); }
.status { margin: 0 0 .5rem; color: var(--faint); font-size: .875rem; text-align: center; }
.status.alarm { color: var(--alarm); }
.status code { font-family: var(--mono); }
.box { display: flex; align-items: flex-end; gap: .5rem; background: var(--raised); border: 1px solid var(--line); border-radius: 1.4rem; padding: .35rem .35rem .35rem 1rem; }
.box:focus-within { border-color: var(--accent); }
.box textarea { flex: 1; min-width: 0; resize: none; border: 0; outline: 0; background: none; color: inherit; font: inherit; line-height: 1.45; padding: .35rem 0; max-height: 40dvh; }
.box textarea::placeholder { color: var(--faint); }
.box button { flex: none; width: 2.2rem; height: 2.2rem; border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent); cursor: pointer; display: grid; place-items: center; }
.box button:disabled { background: var(--line); color: var(--faint); cursor: default; }
.box button:focus-visible, .problem button:focus-visible, .text a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.box svg { width: 1.15rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }

.noscript { position: fixed; inset: 0; display: grid; place-content: center; padding: 2rem; background: var(--ground); }

@media (max-width: 40rem) {
  .column { padding-inline: .9rem; }
  .message.user > .text { max-width: 88%; }
  .message.user time { display: none; }
}
@media (prefers-reduced-motion: reduce) { .message.growing > .text::after { animation: none; } }
`;
