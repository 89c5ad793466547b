/** What pages can do better with a script: each part works without it, or is not shown. */
(() => {
  /** Times whose zone the service does not know, in that of the browser. */
  for (const time of document.querySelectorAll('time[data-local]')) {
    const { local } = time.dataset;
    // the browser's own region, where it speaks the language of the page
    const tag = navigator.language.split('-')[0] === local.split('-')[0] ? navigator.language : local;
    const at = new Date(time.dateTime);
    time.title = time.textContent;
    const style = 'clock' in time.dataset ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
    time.textContent = new Intl.DateTimeFormat(tag, style).format(at);
  }

  /** Shows and hides what is typed as a password. */
  for (const button of document.querySelectorAll('[data-reveals]')) {
    const field = document.getElementById(button.dataset.reveals);
    const turn = (isShown) => {
      field.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', String(isShown));
    };
    button.addEventListener('click', () => turn(field.type === 'password'));
    // browsers keep what was typed in fields of text
    field.form?.addEventListener('submit', () => turn(false));
    button.hidden = false;
  }

  const deeds = {
    async copy({ codes, said }) {
      try {
        await navigator.clipboard.writeText(codes);
        said.textContent = said.dataset.copied;
      } catch {
        said.textContent = said.dataset.failed;
      }
    },
    download({ codes, box }) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([`${box.dataset.heading}\n\n${codes}\n`], { type: 'text/plain' }));
      link.download = box.dataset.file;
      link.click();
      // some browsers begin to read it later
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    print: () => window.print(),
  };

  /** Recovery codes, to be taken along. */
  for (const box of document.querySelectorAll('[data-codes]')) {
    const codes = [...box.querySelectorAll('code')].map((code) => code.textContent).join('\n');
    const said = box.querySelector('[role="status"]');
    for (const button of box.querySelectorAll('[data-deed]')) {
      const { deed } = button.dataset;
      // the clipboard is there over encrypted connections only
      if (deed === 'copy' && navigator.clipboard === undefined) continue;
      button.addEventListener('click', () => deeds[deed]({ codes, said, box }));
      button.hidden = false;
    }
  }

  /** The tab that is open, in the middle of those that fit. */
  for (const tabs of document.querySelectorAll('[data-tabs]')) {
    const open = tabs.querySelector('[aria-current]');
    if (open !== null) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2;
  }
})();
