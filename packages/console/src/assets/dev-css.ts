export const DEV_CSS: string = `
body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; }
.desk { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; height: 100dvh; min-width: 0; border-right: 1px solid var(--line); }
.desk-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.desk-head h2 { font-size: 1rem; margin: 0; }
.desk-head small { color: var(--faint); font-weight: 400; }
.desk-tabs { display: flex; gap: .25rem; }
.desk-tabs button { font: inherit; color: var(--faint); background: none; border: 0; border-bottom: 2px solid transparent; padding: .1rem .5rem; cursor: pointer; }
.desk-tabs button[aria-selected="true"] { color: var(--ink); border-color: var(--accent); }
.desk-tabs button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.desk-messages { list-style: none; margin: 0; padding: 1rem 1.25rem; overflow-y: auto; scrollbar-width: thin; }
.desk-messages li { max-width: min(100% - 3rem, 32rem); width: fit-content; margin: 0 0 .75rem; padding: .4rem .8rem; border-radius: 1rem; background: var(--raised); border: 1px solid var(--line); overflow-wrap: anywhere; }
.desk-messages li.own { margin-left: auto; background: var(--own); border-color: transparent; }
.desk-messages header { font-size: .8rem; color: var(--faint); }
.desk-messages header b { color: var(--accent); font-weight: 600; margin-right: .4rem; }
.desk-messages p { margin: 0; white-space: pre-wrap; }
.desk-composer { padding: .25rem 1.25rem max(1rem, env(safe-area-inset-bottom)); }
.desk-composer input { flex: 1; min-width: 0; border: 0; outline: 0; background: none; color: inherit; font: inherit; padding: .35rem 0; }
.desk-composer input::placeholder { color: var(--faint); }
.desk-composer select { border: 0; background: none; color: var(--faint); font: inherit; }
@media (max-width: 60rem) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr) auto; height: 100dvh; }
  .desk, .chat { height: auto; min-height: 0; }
  .desk { border-right: 0; border-bottom: 1px solid var(--line); }
  .tree { width: auto; height: auto; max-height: 30dvh; border-left: 0; border-top: 1px solid var(--line); }
}
`;
