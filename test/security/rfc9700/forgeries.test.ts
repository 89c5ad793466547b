import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { Certification } from '../../protocols/oauth/conformance/certification.ts';
import type { RelyingParty, Tokens } from '../../protocols/oauth/relying-party.ts';
import { type Forgery, forgeries } from './forgeries.ts';

let suite: Certification;
let other: Certification;
let party: RelyingParty;
let browser: FormBrowser;
let tokens: Tokens;
let actor: string;
let all: readonly Forgery[];

beforeAll(async () => {
  suite = await Certification.start('forgeries');
  other = await suite.neighbour('elsewhere');
  party = await suite.client({ grantTypes: ['authorization_code', 'client_credentials', exchange] });
  ({ browser, tokens } = await suite.flow(party));
  actor = await suite.provider.token({ id: party.id, secret: String(party.secret) });
  all = forgeries(suite.provider, other.provider);
});
afterAll(() => suite.stop());

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessType = 'urn:ietf:params:oauth:token-type:access_token';

function asClient(endpoint: unknown, fields: Readonly<Record<string, string>>): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}`;
  return party.post(String(endpoint), fields, { authorization });
}

/** Something that makes another token of a good one. */
type Change = (good: string) => string | Promise<string>;

/** Where an access token is presented; each answers whether what was made of a good one was taken. */
const accessDoors: Readonly<Record<string, (change: Change) => Promise<boolean>>> = {
  'userinfo by header': async (change) =>
    (await suite.withToken(party, await change(tokens.access_token))).status === 200,
  'userinfo by body': async (change) => {
    const fields = { access_token: await change(tokens.access_token) };
    return (await party.post(String(party.server.userinfo_endpoint), fields)).status === 200;
  },
  decisions: async (change) => {
    const key = await change(tokens.access_token);
    return (await suite.provider.organization.org('GET', '/authz/permissions', { key })).status === 200;
  },
  introspection: async (change) => {
    const fields = { token: await change(tokens.access_token) };
    const response = await asClient(party.server.introspection_endpoint, fields);
    return ((await response.json()) as { active: boolean }).active;
  },
  'the subject of an exchange': async (change) => {
    const fields = { grant_type: exchange, subject_token: await change(tokens.access_token) };
    return (await asClient(party.server.token_endpoint, { ...fields, subject_token_type: accessType })).status === 200;
  },
  'the actor of an exchange': async (change) => {
    const subject = { subject_token: tokens.access_token, subject_token_type: accessType };
    const acting = { actor_token: await change(actor), actor_token_type: accessType };
    const fields = { grant_type: exchange, ...subject, ...acting };
    return (await asClient(party.server.token_endpoint, fields)).status === 200;
  },
};

/** Where an ID token is a hint. */
const hintDoors: Readonly<Record<string, (change: Change) => Promise<boolean>>> = {
  'a hint at authorization': async (change) => {
    const hint = { prompt: 'none', id_token_hint: await change(String(tokens.id_token)) };
    return (await suite.outcome(party, hint, browser)).left.url.searchParams.has('code');
  },
  'a hint at sign-out': async (change) => {
    const own = await suite.flow(party);
    const url = new URL(String(party.server.end_session_endpoint));
    url.searchParams.set('id_token_hint', await change(String(own.tokens.id_token)));
    await own.browser.open(url);
    const after = await suite.outcome(party, { prompt: 'none' }, own.browser);
    return !after.left.url.searchParams.has('code');
  },
};

const itself: Change = (good) => good;

describe('RFC 9700 and 8725: tokens that nobody issued open no door', () => {
  for (const [door, isTaken] of Object.entries(accessDoors)) {
    test(`access token: ${door}`, async () => {
      expect(await isTaken(itself)).toBe(true);
      const taken: string[] = [];
      for (const { name, make } of all) if (await isTaken(make)) taken.push(name);
      if (await isTaken(() => String(tokens.id_token))) taken.push('an ID token');
      if (await isTaken(async () => (await foreign()).access_token)) taken.push('a token of another organization');
      expect(taken).toEqual([]);
      expect(await isTaken(itself)).toBe(true);
    });
  }

  for (const [door, isTaken] of Object.entries(hintDoors)) {
    test(`ID token: ${door}`, async () => {
      expect(await isTaken(itself)).toBe(true);
      const taken: string[] = [];
      for (const { name, make } of all) if (await isTaken(make)) taken.push(name);
      if (await isTaken(() => tokens.access_token)) taken.push('an access token');
      if (await isTaken(async () => String((await foreign()).id_token))) taken.push('one of another organization');
      expect(taken).toEqual([]);
      expect(await isTaken(itself)).toBe(true);
    });
  }
});

let neighbours: Promise<Tokens> | undefined;

function foreign(): Promise<Tokens> {
  neighbours ??= other.client().then(async (client) => (await other.flow(client)).tokens);
  return neighbours;
}
