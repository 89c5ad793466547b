import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../grants/exchange-scene.ts';
import { RelyingParty } from '../relying-party.ts';
import { agree, browserOf, newPerson, signIn } from '../signing-in.ts';
import { TwoOrganizations } from '../two-organizations.ts';
import type { Provider, TestClient } from '../world.ts';
import { jwtBearer } from './redeem-world.ts';

let two: TwoOrganizations;
let home: Provider;
let tools: Provider;

beforeAll(async () => {
  two = await TwoOrganizations.start('home', 'tools');
  ({ home, other: tools } = two);
}, 60_000);
afterAll(() => two.service.remove());

/** The second organization believes assertions of the first. */
async function connect(): Promise<TestClient> {
  const assertionIssuers = [{ issuer: home.issuer, provider: 'oidc', jwksUri: `${home.api}/oauth/jwks` }];
  const believes = await tools.admin('PATCH', '/admin/settings/oauth', { identityAssertions: true, assertionIssuers });
  const issues = await home.admin('PATCH', '/admin/settings/oauth', { identityAssertions: true });
  expect([believes.status, issues.status]).toEqual([200, 200]);
  return tools.client({ grantTypes: [jwtBearer], scopes: ['docs:read', 'docs:write'] });
}

test('who has signed in at one organization gets a token of another, without a page of that', async () => {
  const there = await connect();
  const person = await newPerson(home);
  const browser = browserOf(tools);
  await two.comeIn(browser, person);

  const party = await RelyingParty.register(home, {
    grantTypes: ['authorization_code', exchange],
    assertionAudiences: [{ audience: tools.issuer, clientId: there.id, scopes: ['docs:read'] }],
  });
  const request = await party.begin();
  const page = await agree(browser, await signIn(browser, await browser.open(request.url), person));
  const { id_token: idToken = '' } = await party.finish(request, page.left.url);

  const issued = await home.form('/oauth/token', {
    grant_type: exchange,
    client_id: party.id,
    client_secret: party.secret ?? '',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    audience: tools.issuer,
  });
  expect(issued.status, JSON.stringify(issued.body)).toBe(200);
  const redeem = () =>
    tools.form('/oauth/token', {
      grant_type: jwtBearer,
      client_id: there.id,
      client_secret: there.secret,
      assertion: issued.text('access_token'),
    });
  const answers = await Promise.all(Array.from({ length: 8 }, redeem));
  const good = answers.filter(({ status }) => status === 200);
  expect(good, JSON.stringify(answers.map(({ body }) => body))).toHaveLength(1);
  const token = good[0]?.text('access_token') ?? '';
  const { sub, iss, scope } = decodeJwt(token);
  expect({ iss, scope }).toEqual({ iss: tools.issuer, scope: 'docs:read' });
  expect(sub).not.toBe(person.id);
  const linked = await tools.admin('GET', `/admin/users/${sub}/identities`);
  expect(JSON.stringify(linked.body)).toContain(person.id);
  expect((await tools.withToken('GET', '/authz/permissions', token)).status).toBe(200);
}, 120_000);
