import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookForms } from '../../../src/delivery/webhooks/records/webhook-form.ts';
import { mintSecret } from '../../../src/delivery/webhooks/signing/mint-secret.ts';
import { signatureHeaders } from '../../../src/delivery/webhooks/signing/signature-headers.ts';

const guide = readFileSync('src/docs/webhooks.md', 'utf8');
const [, code = ''] = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(guide) ?? [];

interface Receiver {
  readonly isGenuine: (secret: string, headers: Readonly<Record<string, string>>, body: string) => boolean;
}

test.each(Object.values(webhookForms))(
  'the receiver of the guide, of ten lines, verifies form $catalog',
  async (form) => {
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Receiver;
    const body = '{"id":"e1","name":"Zoë"}';
    for (const secret of [mintSecret(), 'a secret of my own, größer']) {
      const message = { eventId: 'e1', deliveryId: 'd1', type: 'user.created', body, sentAt: Date.now() };
      const headers = signatureHeaders(form, message, [{ text: secret }, { text: mintSecret() }]);
      expect(isGenuine(secret, headers, body)).toBe(true);
      expect(isGenuine(secret, headers, `${body} `)).toBe(false);
      expect(isGenuine(mintSecret(), headers, body)).toBe(false);
      expect(isGenuine(secret, {}, body)).toBe(false);
    }
    for (const name of Object.keys(headersOf(form))) expect(guide.toLowerCase()).toContain(name);
  },
);

function headersOf(form: (typeof webhookForms)['a']) {
  const message = { eventId: 'e1', deliveryId: 'd1', type: 't', body: '', sentAt: 0 };
  return signatureHeaders(form, message, [{ text: 'one' }, { text: 'two' }]);
}
