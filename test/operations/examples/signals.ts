import type { Examples, World } from '../example.ts';

const having =
  (body: object) =>
  async (world: World): Promise<{ body: object }> => ({ body: { stream_id: await world.stream(), ...body } });
const asked = async (world: World) => ({ query: `?stream_id=${await world.stream()}` });
const subject = async (world: World) => {
  const email = `${world.fresh('subject')}@people.example`;
  await world.make('POST', '/admin/users', { email });
  return { body: { stream_id: await world.stream(), subject: { format: 'email', email } } };
};

export const signalExamples: Examples = {
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
