/** Asks whether a mailed link was followed in another browser, and goes on then. Without it the page can be reloaded. */
(() => {
  const box = document.querySelector('[data-waits]');
  const end = Date.now() + Number(box.dataset.seconds) * 1000;
  box.hidden = false;

  async function ask() {
    if (Date.now() > end) {
      box.hidden = true;
      return;
    }
    try {
      // nobody waits for it in a page that is not looked at
      if (!document.hidden) {
        const answer = await fetch(box.dataset.waits, { cache: 'no-store' });
        const { state } = answer.ok ? await answer.json() : { state: 'waiting' };
        if (state === 'approved') return box.querySelector('form').submit();
        if (state !== 'waiting') return location.reload();
      }
    } catch {
      // the network is back sooner or later
    }
    setTimeout(ask, 3000);
  }

  setTimeout(ask, 2000);
})();
