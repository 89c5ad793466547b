/** Says how good a new password is while it is typed, as the service judges it. Without it the form is as good. */
(() => {
  /** Somebody who types is not interrupted. */
  const PAUSE_MS = 400;

  for (const box of document.querySelectorAll('[data-strength]')) {
    const { strength: address, csrf, about, field: name } = box.dataset;
    const field = document.getElementById(name);
    const [bar, text] = [box.querySelector('.strength-bar'), box.querySelector('[role="status"]')];
    let asked = 0;
    let waiting;

    async function ask() {
      const mine = ++asked;
      const show = (answer) => {
        // something else was typed meanwhile
        if (mine !== asked) return;
        box.hidden = answer === undefined;
        bar.dataset.level = answer?.level ?? 0;
        text.textContent = answer?.text ?? '';
      };
      if (field.value === '') return show();
      const given = { csrf, about, password: field.value, name: field.form.elements.name?.value ?? '' };
      try {
        const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(given), cache: 'no-store' });
        show(answer.ok ? await answer.json() : undefined);
      } catch {
        show();
      }
    }

    field.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(ask, field.value === '' ? 0 : PAUSE_MS);
    });
  }
})();
