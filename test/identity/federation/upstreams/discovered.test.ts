import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DiscoveredIssuers } from '../../../../src/identity/federation/upstreams/discovered.ts';
import type { OpenProvider } from '../../../../src/identity/federation/upstreams/upstream.ts';
import { discover } from '../../../../src/identity/providers/index.ts';
import { manualClock, OutboundGuard } from '../../../../src/platform/index.ts';
import { configuration, Issuer, sendJson } from '../../providers/issuer.ts';

describe('what an issuer says of itself', () => {
  const guard = new OutboundGuard(true);
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await Issuer.open();
  });
  afterAll(() => issuer.close());

  async function provider(isKnown: boolean): Promise<OpenProvider> {
    const discovered = isKnown ? { discovered: await discover(guard, issuer.url) } : {};
    // of the record, only this is read here
    const record = { details: { issuerUrl: issuer.url }, ...discovered } as unknown as OpenProvider['record'];
    return { record, secrets: {}, callbackUrl: '' };
  }

  test('is asked again after ten minutes, and its new endpoints count', async () => {
    const clock = manualClock(0);
    const issuers = new DiscoveredIssuers(guard, clock);
    const acme = await provider(true);
    const before = issuer.asked.length;
    for (let each = 0; each < 3; each++) expect((await issuers.of(acme)).tokenEndpoint).toBe(`${issuer.url}/token`);
    expect(issuer.asked.length - before).toBe(1);
    issuer.answering = (url, _, response) =>
      sendJson(response, 200, { ...configuration(url), token_endpoint: `${url}/moved` });
    clock.advance(10 * 60_000);
    expect((await issuers.of(acme)).tokenEndpoint).toBe(`${issuer.url}/moved`);
  });

  test('while it says nothing, what it said last counts; where it never did, it cannot be reached', async () => {
    issuer.answering = (url, _, response) => sendJson(response, 200, configuration(url));
    const known = await provider(true);
    issuer.answering = (_, __, response) => sendJson(response, 500, {});
    const issuers = new DiscoveredIssuers(guard, manualClock(0));
    expect((await issuers.of(known)).issuer).toBe(issuer.url);
    await expect(issuers.of(await provider(false))).rejects.toMatchObject({ fault: 'unreachable' });
  });

  test('another name for itself is not believed', async () => {
    issuer.answering = (url, _, response) =>
      sendJson(response, 200, { ...configuration(url), issuer: 'https://accounts.google.com' });
    const issuers = new DiscoveredIssuers(guard, manualClock(0));
    await expect(issuers.of(await provider(false))).rejects.toMatchObject({ fault: 'unreachable' });
  });
});
