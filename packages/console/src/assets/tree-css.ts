/** The sub-agents beside the chat; on a narrow screen below it. */
export const TREE_CSS: string = `
.tree { width: min(22rem, 34vw); height: 100dvh; border-left: 1px solid var(--line); overflow: hidden auto; scrollbar-width: thin; padding: 1.25rem; font-size: .9rem; line-height: 1.45; }
.tree summary { cursor: pointer; font-weight: 600; }
.tree summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
.runs-count { color: var(--accent); font-weight: 400; margin-left: .3rem; }
.runs { list-style: none; margin: 0; padding: 0; }
details > .runs { margin-top: .75rem; }
.runs .runs { margin-left: .35rem; padding-left: .8rem; border-left: 1px solid var(--line); }
.run { padding: .25rem 0; overflow-wrap: anywhere; }
.run-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .6rem; }
.run-head::before { content: ""; flex: none; align-self: center; width: .5rem; height: .5rem; border-radius: 50%; background: var(--faint); }
.run.running > .run-head::before { background: var(--accent); animation: breathe 1.4s ease-in-out infinite; }
.run.done > .run-head::before { background: none; box-shadow: inset 0 0 0 2px var(--accent); }
.run.failed > .run-head::before, .run.timeout > .run-head::before, .run.interrupted > .run-head::before { background: var(--alarm); }
.run-name { font-weight: 500; min-width: 0; }
.run-words, .run-time, .run-tokens { color: var(--faint); font-variant-numeric: tabular-nums; }
.run-time { margin-left: auto; }
.run-note, .run-delivery { margin: .1rem 0 0 1.1rem; color: var(--faint); }
.run-delivery.alarm, .run.failed > .run-note { color: var(--alarm); }
.runs-rest { color: var(--faint); margin: .5rem 0 0; }
@media (max-width: 40rem) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) auto; height: 100dvh; }
  .chat { height: auto; min-height: 0; }
  .tree { width: auto; height: auto; max-height: 35dvh; border-left: 0; border-top: 1px solid var(--line); padding: .6rem .9rem; }
}
@media (prefers-reduced-motion: reduce) { .run.running > .run-head::before { animation: none; } }
`;
