import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { samlUpstream } from '../../../../src/identity/federation/saml/saml-upstream.ts';
import { manualClock, OutboundGuard } from '../../../../src/platform/index.ts';
import { SamlIdp } from './saml-idp.ts';
import { attempt, provider, samlService, signInAt } from './saml-scene.ts';

let idp: SamlIdp;
beforeAll(async () => {
  idp = await SamlIdp.open();
});
afterAll(() => idp.close());
beforeEach(() => {
  idp.behave();
  idp.published = 'idp';
  idp.metadata = undefined;
});

describe('metadata', () => {
  const byMetadata = () => provider({ metadataUrl: `${idp.url}/metadata` });

  test('tells the entry point, the certificates and the name', async () => {
    expect(await signInAt(idp, samlService(), byMetadata())).toMatchObject({ subject: 'u-1001' });
    idp.behave({ tags: { Issuer: 'https://other.example' } });
    await expect(signInAt(idp, samlService(), byMetadata())).rejects.toMatchObject({ fault: 'rejected' });
  });

  test('is read once an hour, and again where a signature does not fit, at most once a minute', async () => {
    const clock = manualClock(Date.now());
    const upstream = samlService(clock);
    const asked = idp.metadataAsked;
    await signInAt(idp, upstream, byMetadata());
    await signInAt(idp, upstream, byMetadata());
    expect(idp.metadataAsked - asked).toBe(1);
    idp.behave({ signer: 'other' });
    idp.published = 'other';
    await expect(signInAt(idp, upstream, byMetadata())).rejects.toMatchObject({ fault: 'rejected' });
    clock.advance(61_000);
    expect(await signInAt(idp, upstream, byMetadata())).toMatchObject({ subject: 'u-1001' });
    expect(idp.metadataAsked - asked).toBe(2);
  });

  test('what cannot be read now is used as it was, for a day', async () => {
    const clock = manualClock(Date.now());
    const upstream = samlService(clock);
    const good = byMetadata();
    await upstream.request(good, attempt, {});
    idp.metadata = () => undefined;
    clock.advance(2 * 60 * 60_000);
    expect(await upstream.request(good, attempt, {})).toContain(`${idp.url}/sso`);
    clock.advance(23 * 60 * 60_000);
    await expect(upstream.request(good, attempt, {})).rejects.toMatchObject({ fault: 'unreachable' });
  });

  test.each([
    ['a document type', (good: string) => `<!DOCTYPE x>${good}`],
    ['no certificate', (good: string) => good.replaceAll(/<KeyDescriptor.*?<\/KeyDescriptor>/g, '')],
    ['no address for redirects', (good: string) => good.replaceAll('HTTP-Redirect', 'SOAP')],
    [
      'an end that has passed',
      (good: string) => good.replace('<EntityDescriptor', '<EntityDescriptor validUntil="2020-01-01T00:00:00Z"'),
    ],
    ['no identity provider', () => '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>'],
  ])('refused: %s', async (_, metadata) => {
    idp.metadata = metadata;
    await expect(samlService().request(byMetadata(), attempt, {})).rejects.toMatchObject({
      fault: expect.stringMatching(/^(?:misconfigured|rejected)$/),
    });
  });

  test('an address that is not of the public network is not asked', async () => {
    const upstream = samlUpstream({
      guard: new OutboundGuard(false),
      route: (url) => url,
      clock: manualClock(Date.now()),
    });
    for (const metadataUrl of ['https://127.0.0.1/metadata', 'https://[::1]/m', 'https://169.254.169.254/latest']) {
      const asked = upstream.request(provider({ metadataUrl }), attempt, {});
      await expect(asked).rejects.toMatchObject({ fault: 'unreachable' });
    }
  });
});
