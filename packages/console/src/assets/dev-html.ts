/** The emulated platforms' side of the page of `banyan dev`. Its script fills it. */
export const DEV_PANE_HTML: string = `<section class="desk" aria-label="Emulated platforms">
  <nav class="desk-chats" id="desk-chats" aria-label="Chats"></nav>
  <div class="desk-said">
    <p class="desk-empty" id="desk-empty" hidden>No messages here yet. Try <button type="button" id="desk-example"></button></p>
    <ol class="desk-messages" id="desk-messages" role="log" aria-live="polite" aria-label="Messages" tabindex="0"></ol>
  </div>
  <form class="desk-composer" id="desk-composer">
    <p class="status" id="desk-status" role="status" hidden></p>
    <div class="box">
      <label class="unseen" for="desk-person">Write as</label>
      <select id="desk-person"></select>
      <label class="unseen" for="desk-text">Message</label>
      <input id="desk-text" autocomplete="off" maxlength="4096">
      <button type="submit" aria-label="Send there" title="Send (Enter)">
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 16V4M4.5 9.5 10 4l5.5 5.5"/></svg>
      </button>
    </div>
  </form>
</section>
`;
