import type { Example, Examples, World } from '../example.ts';

const having =
  (body: object) =>
  async (world: World): Promise<{ body: object }> => ({ body: { stream_id: await world.stream(), ...body } });
const asked = async (world: World) => ({ query: `?stream_id=${await world.stream()}` });
const subject = async (world: World) => {
  const email = `${world.fresh('subject')}@people.example`;
  await world.make('POST', '/admin/users', { email });
  return { body: { stream_id: await world.stream(), subject: { format: 'email', email } } };
};

/** An issuer of security events that nobody else has. */
async function issuer(
  { family, fresh, make }: World,
  issuerUrl = `https://${fresh('issuer')}.example`,
  audience = 'us',
) {
  const google = { clientId: 'client', clientSecret: 'some words' };
  const provider = family === 'org' ? 'google' : undefined;
  if (provider !== undefined) await make('PUT', `/admin/social-providers/${provider}`, google);
  const { id } =
    provider === undefined ? await make('POST', '/admin/social-providers', { type: 'saml', ...google }) : {};
  const named = provider ?? (await providerOf(make, String(id)));
  return { name: 'An issuer', issuer: issuerUrl, audience, provider: named };
}

/** As paths of the other family name it. */
async function providerOf(make: World['make'], id: string): Promise<string> {
  const { provider, type } = await make('GET', `/admin/social-providers/${id}`);
  return String(provider ?? type);
}

const streams = '/admin/signals/streams';
const ofStream = async (world: World) => ({ params: { streamId: await world.stream() } });

const issuers = '/admin/signals/issuers';
async function madeIssuer(world: World) {
  const { id } = await world.make('POST', issuers, await issuer(world));
  return { params: { issuerId: String(id) } };
}

/** The organization itself is the issuer: a client asks for a verification event, and takes it. */
async function receivedEvent(world: World): Promise<Example> {
  const { make, organization, service } = world;
  const scopes = ['ssf.manage'];
  const client = await make('POST', '/admin/clients', { name: 'B', grantTypes: ['client_credentials'], scopes });
  const api = `/orgs/${organization.slug}/api/v1`;
  const fields = { client_id: String(client.clientId), client_secret: String(client.clientSecret) };
  const granted = await service.call('POST', `${api}/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
  });
  const key = granted.text('access_token');
  const ssf = (path: string, body: object) => service.call('POST', `${api}/ssf${path}`, { key, body });
  const id = (await ssf('/stream', {})).text('stream_id');
  await ssf('/verify', { stream_id: id });
  const { sets } = (await ssf(`/poll/${id}`, {})).body as { sets: Readonly<Record<string, string>> };
  const url = `${service.url}/orgs/${organization.slug}`;
  const jwksUri = `${url.replace('localhost', '127.0.0.1')}/api/v1/oauth/jwks`;
  await make('POST', issuers, { ...(await issuer(world, url, fields.client_id)), jwksUri });
  return { body: Object.values(sets)[0], headers: { 'content-type': 'application/secevent+jwt' } };
}

export const signalExamples: Examples = {
  [`GET ${issuers}`]: () => ({ query: '?limit=2&search=a&sortBy=name' }),
  [`POST ${issuers}`]: async (world) => ({ body: await issuer(world) }),
  [`GET ${issuers}/{issuerId}`]: madeIssuer,
  [`PUT ${issuers}/{issuerId}`]: async (world) => ({ ...(await madeIssuer(world)), body: { name: 'Changed' } }),
  [`PATCH ${issuers}/{issuerId}`]: async (world) => ({ ...(await madeIssuer(world)), body: { isActive: false } }),
  [`DELETE ${issuers}/{issuerId}`]: madeIssuer,
  [`POST ${issuers}/{issuerId}/rotate-secret`]: madeIssuer,
  'POST /signals/receive': receivedEvent,
  [`GET ${streams}`]: async (world) => {
    await world.stream();
    return { query: '?limit=2&sortBy=createdAt' };
  },
  [`GET ${streams}/{streamId}`]: ofStream,
  [`PATCH ${streams}/{streamId}`]: async (world) => ({ ...(await ofStream(world)), body: { status: 'disabled' } }),
  [`DELETE ${streams}/{streamId}`]: ofStream,
  'GET /.well-known/ssf-configuration/orgs/{orgId}': () => ({}),
  'GET /orgs/{orgId}/.well-known/ssf-configuration': () => ({}),
  'POST /ssf/stream': async (world) => {
    await world.stream();
    return { body: {} };
  },
  'GET /ssf/stream': asked,
  'PATCH /ssf/stream': having({ description: 'Changed' }),
  'PUT /ssf/stream': having({}),
  'GET /ssf/status': asked,
  'POST /ssf/status': having({ status: 'paused' }),
  'POST /ssf/subjects/add': subject,
  'POST /ssf/subjects/remove': subject,
  'POST /ssf/verify': having({ state: 'a' }),
  'POST /ssf/poll/{streamId}': async (world) => ({
    params: { streamId: await world.stream() },
    body: { returnImmediately: true },
  }),
  'DELETE /ssf/stream': asked,
};

export const eventExamples: Examples = {
  'GET /admin/events': () => ({ query: '?limit=2&types=user.created' }),
  'GET /admin/events/types': () => ({}),
};
