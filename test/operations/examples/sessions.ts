import type { Examples, World } from '../example.ts';

async function user(world: World) {
  const { id } = await world.make('POST', '/admin/users', { email: `${world.fresh('session')}@example.com` });
  return { params: { userId: String(id) } };
}

const unknown = { params: { userId: 'unknown', sessionId: 'unknown', clientId: 'unknown' } };
/** Nothing that can be asked over HTTP makes one. */
const needsSignIn = () => ({ ...unknown, needsSignIn: true }) as const;

export const sessionExamples: Examples = {
  'org GET /admin/sessions': () => ({ query: '?limit=2&isActive=true&sortOrder=desc' }),
  'tenant GET /admin/sessions': () => ({ query: '?limit=2&userId=1&ipAddress=192.0.2.1' }),
  'GET /admin/sessions/stats': () => ({}),
  'GET /admin/sessions/count': () => ({}),
  'POST /admin/sessions/revoke-all': () => ({ body: { confirm: true } }),
  'DELETE /admin/sessions/{sessionId}': needsSignIn,
  'GET /admin/users/{userId}/sessions': user,
  'DELETE /admin/users/{userId}/sessions': user,
  'POST /admin/users/{userId}/sessions/revoke': user,
  'DELETE /admin/users/{userId}/sessions/{sessionId}': needsSignIn,
  'GET /admin/users/{userId}/applications': user,
  'DELETE /admin/users/{userId}/applications/{clientId}': needsSignIn,
  'GET /admin/tokens': () => ({ query: '?limit=2&userId=unknown' }),
  'DELETE /admin/users/{userId}/tokens': user,
  'POST /admin/users/{userId}/tokens/revoke': user,
};
