import { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import type { Examples, World } from '../example.ts';

async function user(world: World) {
  const { id } = await world.make('POST', '/admin/users', { email: `${world.fresh('session')}@example.com` });
  return { params: { userId: String(id) } };
}

/** Somebody who has signed in at the page of sign-in. */
async function signedIn(world: World) {
  const email = `${world.fresh('signed-in')}@example.com`;
  const password = 'Correct 7 horses, one battery!';
  const { id } = await world.make('POST', '/admin/users', { email, password });
  const browser = new FormBrowser({ origin: world.service.url });
  await signIn(browser, await browser.open(`/orgs/${world.organization.slug}/signin`), { email, password });
  const sessions = await world.make('GET', `/admin/users/${id}/sessions`);
  const [session] = (Array.isArray(sessions) ? sessions : [sessions.data].flat()) as { id: string }[];
  if (session === undefined) throw new Error(`${email} could not sign in`);
  return { params: { userId: String(id), sessionId: session.id } };
}

/** What somebody has agreed to: `test/identity/account` has the good answers. */
const needsSignIn = () => ({ params: { userId: 'unknown', clientId: 'unknown' }, needsSignIn: true }) as const;

export const sessionExamples: Examples = {
  'org GET /admin/sessions': () => ({ query: '?limit=2&isActive=true&sortOrder=desc' }),
  'tenant GET /admin/sessions': () => ({ query: '?limit=2&userId=1&ipAddress=192.0.2.1' }),
  'GET /admin/sessions/stats': () => ({}),
  'GET /admin/sessions/count': () => ({}),
  'POST /admin/sessions/revoke-all': () => ({ body: { confirm: true } }),
  'DELETE /admin/sessions/{sessionId}': signedIn,
  'GET /admin/users/{userId}/sessions': user,
  'DELETE /admin/users/{userId}/sessions': user,
  'POST /admin/users/{userId}/sessions/revoke': user,
  'DELETE /admin/users/{userId}/sessions/{sessionId}': signedIn,
  'GET /admin/users/{userId}/applications': user,
  'DELETE /admin/users/{userId}/applications/{clientId}': needsSignIn,
  'GET /admin/tokens': () => ({ query: '?limit=2&userId=unknown' }),
  'DELETE /admin/users/{userId}/tokens': user,
  'POST /admin/users/{userId}/tokens/revoke': user,
};
