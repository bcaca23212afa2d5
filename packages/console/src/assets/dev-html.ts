/** The emulated Telegram's side of the page of `banyan dev`. Its script fills it. */
export const DEV_PANE_HTML: string = `<section class="desk" aria-label="Emulated Telegram">
  <header class="desk-head">
    <h2>Telegram <small>emulated</small></h2>
    <div class="desk-tabs" id="desk-tabs" role="tablist" aria-label="Chats"></div>
  </header>
  <ol class="desk-messages" id="desk-messages" role="log" aria-live="polite" aria-label="Messages"></ol>
  <form class="desk-composer" id="desk-composer">
    <p class="status" id="desk-status" role="status" hidden></p>
    <div class="box">
      <label class="unseen" for="desk-person">Write as</label>
      <select id="desk-person"></select>
      <label class="unseen" for="desk-text">Message</label>
      <input id="desk-text" autocomplete="off" maxlength="4096" placeholder="Write on Telegram">
      <button type="submit" aria-label="Send on Telegram" title="Send (Enter)">
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 16V4M4.5 9.5 10 4l5.5 5.5"/></svg>
      </button>
    </div>
  </form>
</section>
`;
