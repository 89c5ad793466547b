import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel } from '../post.ts';
import { apiOf, clientForm, issuerOf, type OAuthSite } from './oauth-site.ts';
import { type BenchClient, createPerson, registerClient } from './registered.ts';
import { sendForm, textOf } from './send-form.ts';
import { Visitor } from './visitor.ts';

/** Refresh tokens, one a line, and the form that hands one of them in, up to the token. */
export interface GrantFile {
  readonly path: string;
  readonly form: string;
}

const AT_ONCE = 8;
const REDIRECT = 'https://application.example/callback';

/** Signs a person in, lets an application of the organization get as many grants as are wanted, and writes them down. */
export async function grantFiles(site: OAuthSite, files: number, each: number): Promise<GrantFile[]> {
  const administration = { api: apiOf(site), adminApiKey: site.data.adminApiKey };
  const application = await registerClient(administration, {
    name: 'An application',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_post',
    redirectUris: [REDIRECT],
    scopes: ['offline_access', 'bench'],
    skipConsent: true,
  });
  const visitor = new Visitor(issuerOf(site));
  await visitor.signIn(await createPerson(administration, 0));
  const tokens: string[] = [];
  await inParallel(Array.from({ length: files * each }), AT_ONCE, async () => {
    tokens.push(await refreshToken(site, visitor, application));
  });
  visitor.close();
  const form = clientForm(application, { grant_type: 'refresh_token' });
  return Array.from({ length: files }, (_, file) => {
    const path = join(site.scratch, `grants-${file}`);
    const own = tokens.slice(file * each, (file + 1) * each);
    writeFileSync(path, own.map((token) => `${token}\n`).join(''));
    return { path, form: `${form}&refresh_token=` };
  });
}

/** One turn of the code flow with PKCE. */
async function refreshToken(site: OAuthSite, visitor: Visitor, application: BenchClient): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: application.id,
    redirect_uri: REDIRECT,
    scope: 'offline_access bench',
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { location, status, text } = await visitor.open(`${apiOf(site)}/oauth/authorize?${question}`);
  const code = location.startsWith(REDIRECT) ? new URL(location).searchParams.get('code') : null;
  if (code === null) throw new Error(`no code: ${status} ${location} ${text.slice(0, 300)}`);
  const body = clientForm(application, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
  return textOf(await sendForm(`${apiOf(site)}/oauth/token`, body), 'refresh_token');
}
