import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { afterAttempt, gapsMs } from '../../../src/delivery/dispatch/sending/attempts.ts';
import { newDelivery } from '../../../src/delivery/dispatch/sending/new-delivery.ts';
import { PACE_TURN_MS, SendPace } from '../../../src/delivery/dispatch/sending/send-pace.ts';
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

/** The guide as one line, so that a sentence is found wherever it is broken. */
const prose = guide.replaceAll(/\s+/g, ' ');

test('the guide says how long the service waits for a receiver', () => {
  const minutes = gapsMs.slice(1).map((gap) => gap / 60_000);
  expect(prose).toContain(`at once, and ${minutes.slice(0, -1).join(', ')} and ${minutes.at(-1)} minutes after`);
  const message = { type: 't', resources: [], payload: '{}', contentType: 'application/json' };
  const delivery = newDelivery('webhook:1', { id: 'e1', type: 't', createdAt: 0, data: {} }, message, {
    now: 0,
    keptMs: 1,
  });
  const pauseS = (status: number, retryAfterMs?: number): number | undefined => {
    const made = { attempt: { at: 0, durationMs: 1, status }, retryAfterMs, isRefused: false };
    const { pausedUntil } = afterAttempt(delivery, made, 0, 0.5);
    return pausedUntil === undefined ? undefined : pausedUntil / 1000;
  };
  const [, seconds = '', minutesMax = ''] =
    /After 429, 502 or 504, nothing is sent to the webhook for (\d+) seconds, or .* (\d+) minutes at most\./.exec(
      prose,
    ) ?? [];
  for (const status of [429, 502, 504]) {
    expect(pauseS(status)).toBe(Number(seconds));
    expect(pauseS(status, 86_400_000)).toBe(Number(minutesMax) * 60);
  }
  expect(prose).toContain('After 503, this is so only if the answer has a `Retry-After`.');
  expect([pauseS(503), pauseS(503, 3000), pauseS(500, 3000)]).toEqual([undefined, 3, undefined]);
});

test('the guide says how many deliveries go out at least', async () => {
  const pace = new SendPace(() => 1);
  let begun = 0;
  for (let turn = 0; turn < 40; turn++) {
    begun = 0;
    for (let wanted = 0; wanted < 2_000; wanted++) void pace.take().then(() => begun++);
    pace.turn();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(prose).toContain(`never at fewer than ${(begun * 1000) / PACE_TURN_MS} a second`);
});
