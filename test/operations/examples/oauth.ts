import { decodeJwt } from 'jose';
import type { Examples, World } from '../example.ts';

/** A client that acts for itself, as the form of its requests names it. */
async function client(world: World): Promise<Readonly<Record<string, string>>> {
  const body = { name: 'Made', grantTypes: ['client_credentials'], scopes: ['a'] };
  const { clientId, clientSecret } = await world.make('POST', '/admin/clients', body);
  return { client_id: String(clientId), client_secret: String(clientSecret) };
}

async function issued(world: World) {
  const own = await client(world);
  const answer = await world.service.call('POST', `/orgs/${world.organization.slug}/api/v1/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...own, grant_type: 'client_credentials' }).toString(),
  });
  return { own, token: answer.text('access_token') };
}

async function device(world: World) {
  const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'];
  const { clientId } = await world.make('POST', '/admin/clients', { name: 'Made', type: 'public', grantTypes });
  return { form: { client_id: String(clientId), scope: 'openid' } };
}

async function withToken(world: World) {
  const { own, token } = await issued(world);
  return { form: { ...own, token } };
}

async function ofToken(world: World) {
  const { own, token } = await issued(world);
  return { params: { tokenId: String(decodeJwt(token).jti), clientId: String(own.client_id) } };
}

async function pushed(world: World) {
  const redirectUri = 'https://app.example/cb';
  const { clientId, clientSecret } = await world.make('POST', '/admin/clients', {
    name: 'Made',
    redirectUris: [redirectUri],
  });
  return {
    client_id: String(clientId),
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    secret: String(clientSecret),
  };
}

/** Leads to the page of sign-in. */
async function request(world: World): Promise<Readonly<Record<string, string>>> {
  const { secret: _, ...fields } = await pushed(world);
  return fields;
}

const nothing = () => ({});

export const oauthExamples: Examples = {
  'GET /orgs/{orgId}/.well-known/openid-configuration': nothing,
  'GET /.well-known/openid-configuration/orgs/{orgId}': nothing,
  'GET /.well-known/oauth-authorization-server/orgs/{orgId}': nothing,
  'GET /.well-known/oauth-protected-resource/orgs/{orgId}/api/v1': nothing,
  'GET /.well-known/oauth-protected-resource/t/{tenant}/api/v1': nothing,
  'GET /.well-known/oauth-protected-resource/t/{tenant}/api/v1/mcp': nothing,
  'GET /oauth/jwks': nothing,
  'GET /oauth/check_session': nothing,
  'GET /oauth/authorize': async (world) => ({
    query: `?${new URLSearchParams(await request(world))}`,
    isRedirect: true,
  }),
  'POST /oauth/authorize': async (world) => ({ form: await request(world), isRedirect: true }),
  'POST /oauth/par': async (world) => {
    const { secret, ...fields } = await pushed(world);
    return { form: { ...fields, client_secret: secret } };
  },
  'GET /oauth/social/{provider}': async (world) => {
    const provider = { type: 'github', name: 'GitHub', clientId: 'c', clientSecret: 'secret' };
    const { organization } = world;
    await organization.post('/admin/social-providers', provider);
    const query = `?${new URLSearchParams(await request(world))}`;
    return { params: { provider: 'github' }, query, isRedirect: true };
  },
  'GET /oauth/end_session': () => ({ isRedirect: true }),
  'POST /oauth/end_session': () => ({ form: {}, isRedirect: true }),
  'GET /oauth/userinfo': async (world) => ({ headers: { authorization: `Bearer ${(await issued(world)).token}` } }),
  'POST /oauth/userinfo': async (world) => ({ form: { access_token: (await issued(world)).token } }),
  'POST /oauth/token': async (world) => ({ form: { ...(await client(world)), grant_type: 'client_credentials' } }),
  'POST /oauth/device_authorization': device,
  'POST /oauth/introspect': withToken,
  'POST /oauth/revoke': withToken,
  'DELETE /admin/tokens/{tokenId}': ofToken,
  'DELETE /admin/clients/{clientId}/tokens': ofToken,
  'POST /admin/clients/{clientId}/tokens/revoke': ofToken,
};
