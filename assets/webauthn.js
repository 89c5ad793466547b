/** Makes forms with `data-webauthn` work: asks an authenticator, and sends what it answers as the field `answer`. */
(() => {
  const library = globalThis.SimpleWebAuthnBrowser;
  if (library === undefined || !library.browserSupportsWebAuthn()) return;

  const ceremonies = {
    create: (optionsJSON) => library.startRegistration({ optionsJSON }),
    get: (optionsJSON) => library.startAuthentication({ optionsJSON }),
  };

  function send(form, answer) {
    form.elements.answer.value = JSON.stringify(answer);
    // past the listener below
    form.submit();
  }

  /** Passkeys beside the user names that the browser fills in. It waits until one is chosen, or something else is. */
  async function autofill(form, optionsJSON) {
    if (!(await library.browserSupportsWebAuthnAutofill())) return;
    try {
      send(form, await library.startAuthentication({ optionsJSON, useBrowserAutofill: true }));
    } catch {
      // the visitor went another way
    }
  }

  for (const part of document.querySelectorAll('[data-webauthn]')) {
    const form = part.querySelector('form');
    const fault = part.querySelector('[data-webauthn-fault]');
    const options = JSON.parse(part.dataset.options);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      fault.hidden = true;
      try {
        send(form, await ceremonies[part.dataset.webauthn](options));
      } catch {
        fault.hidden = false;
      }
    });
    part.hidden = false;
    if (part.dataset.autofill !== undefined) autofill(form, options);
  }
  for (const text of document.querySelectorAll('[data-webauthn-otherwise]')) text.hidden = true;
})();
