import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SamlIdp } from './upstreams/saml-idp.ts';
import { configurations, FederationWorld } from './world.ts';

describe('outside of tests, nothing leads to a private network', () => {
  let world: FederationWorld;
  let idp: SamlIdp;
  beforeAll(async () => {
    [world, idp] = await Promise.all([FederationWorld.start({ RELATA_ALLOW_PRIVATE_URLS: '0' }), SamlIdp.open()]);
  });
  afterAll(() => Promise.all([world.stop(), idp.close()]));

  test.each(['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001'])(
    'metadata at %s',
    async (host) => {
      const { port } = new URL(idp.url);
      const metadataUrl = `https://${host}:${port}/metadata`;
      const on = await world.site({ type: 'saml', clientId: 'sp', clientSecret: 'x', metadataUrl });
      const browser = on.browser();
      const flow = (await on.site.begin(browser, { fresh: true })).url.searchParams.get('flow');
      const page = await browser.open(`${on.base}/signin/social/saml?flow=${flow}`);
      expect([page.status, page.heading]).toEqual([503, 'SAML can’t be reached']);
      expect(page.html).not.toContain(host);
      expect(world.reasons.at(-1)).toContain('the host is not on the public network');
      expect(idp.metadataAsked).toBe(0);
    },
  );

  test('not even where the addresses of well-known providers are led elsewhere', async () => {
    const on = await world.site(configurations.google);
    const browser = on.browser();
    const departure = await on.leave(browser, 'google');
    const way = world.known.signIn(departure, { claims: { sub: 'g-1' } });
    const page = await browser.arrive(way, departure.origin);
    expect([page.status, page.heading]).toEqual([503, 'Google can’t be reached']);
    expect(world.known.asked).toEqual([]);
  });

  test('an issuer there is not even configured', async () => {
    const on = await world.site();
    for (const issuerUrl of [
      'https://127.0.0.1',
      'http://issuer.example',
      'https://localhost:8443',
      'file:///etc/passwd',
    ]) {
      const body = { type: 'oidc', clientId: 'x', clientSecret: 'y', issuerUrl };
      const made = await on.organization.tenant('POST', '/admin/social-providers', { body });
      expect([400, 422]).toContain(made.status);
    }
  });
});
