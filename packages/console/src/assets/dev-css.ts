export const DEV_CSS: string = `
body { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) auto; }
.desk { display: grid; grid-template: minmax(0, 1fr) auto / minmax(9rem, 13rem) minmax(0, 1fr); height: 100dvh; min-width: 0; border-right: 1px solid var(--line); }
.desk-chats { grid-row: 1 / -1; padding: 1rem .6rem; overflow-y: auto; scrollbar-width: thin; border-right: 1px solid var(--line); }
.desk-chats h2 { font-size: 1rem; margin: 0 .5rem; }
.desk-chats small { color: var(--faint); font-weight: 400; font-size: .75rem; }
.desk-chats [role="tablist"] { display: flex; flex-direction: column; margin-bottom: 1.25rem; }
.desk-chats .place { color: var(--faint); font-size: .8rem; margin: .5rem .5rem .1rem; }
.desk-chats button { position: relative; display: flex; align-items: baseline; gap: .4rem; min-width: 0; max-width: 14rem; font: inherit; color: var(--faint); background: none; border: 0; border-radius: .5rem; padding: .25rem .5rem; cursor: pointer; flex: none; }
.desk-chats button > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.desk-chats button.thread { padding-left: 1.5rem; }
.desk-chats button.thread::before { content: ""; position: absolute; left: .75rem; top: .1rem; width: .45rem; height: .8rem; border: 1px solid var(--line); border-width: 0 0 1px 1px; }
.desk-chats button.news { color: var(--ink); font-weight: 600; }
.desk-chats button.news::after { content: ""; flex: none; width: .45rem; height: .45rem; align-self: center; border-radius: 50%; background: var(--accent); }
.desk-chats button[aria-selected="true"] { color: var(--ink); background: var(--own); }
.desk-chats button:focus-visible, .desk-messages:focus-visible, .desk-messages button:focus-visible, .desk-empty button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.desk-said { display: grid; min-height: 0; }
.desk-empty { color: var(--faint); text-align: center; margin: auto; padding: 1rem; grid-area: 1 / 1; z-index: 1; }
.desk-empty button { font: .875em/1.5 var(--mono); color: var(--ink); background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .1rem .4rem; cursor: pointer; }
.desk-messages { grid-area: 1 / 1; list-style: none; margin: 0; padding: 1rem 1.25rem; overflow-y: auto; scrollbar-width: thin; }
.desk-messages > li { max-width: min(100% - 2rem, 34rem); width: fit-content; margin: 0 0 .75rem; padding: .4rem .8rem; border-radius: 1rem; background: var(--raised); border: 1px solid var(--line); overflow-wrap: anywhere; }
.desk-messages > li.own { margin-left: auto; background: var(--own); border-color: transparent; }
.desk-messages header { font-size: .8rem; color: var(--faint); }
.desk-messages header b { color: var(--accent); font-weight: 600; margin-right: .4rem; }
.desk-messages .plain { white-space: pre-wrap; }
.desk-messages .card { border-left: 3px solid var(--line); padding: .15rem 0 .15rem .7rem; margin: .3rem 0; }
.desk-messages .card > .text { color: var(--faint); font-size: .9rem; }
.desk-messages .buttons { display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0 .2rem; }
.desk-messages .buttons button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .15rem .7rem; cursor: pointer; }
.desk-composer { padding: .25rem 1.25rem max(1rem, env(safe-area-inset-bottom)); min-width: 0; }
.desk-composer input { flex: 1; min-width: 0; border: 0; outline: 0; background: none; color: inherit; font: inherit; padding: .35rem 0; }
.desk-composer input::placeholder { color: var(--faint); }
.desk-composer select { align-self: center; border: 0; background: none; color: var(--faint); font: inherit; }
@media (max-width: 60rem) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 3fr) minmax(0, 2fr) auto; height: 100dvh; }
  .desk, .chat { height: auto; min-height: 0; }
  .desk { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); border-right: 0; border-bottom: 1px solid var(--line); }
  .desk-chats { grid-row: auto; display: flex; gap: 1rem; padding: .5rem .6rem; overflow: auto hidden; border-right: 0; border-bottom: 1px solid var(--line); }
  .desk-chats section { display: flex; align-items: baseline; flex: none; }
  .desk-chats [role="tablist"] { flex-direction: row; align-items: baseline; margin: 0; }
  .desk-chats .place { margin: 0 .3rem; }
  .tree { width: auto; height: auto; max-height: 30dvh; border-left: 0; border-top: 1px solid var(--line); }
}
`;
