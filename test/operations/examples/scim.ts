import type { Examples, World } from '../example.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:';
const message = 'urn:ietf:params:scim:api:messages:2.0:';

function user(world: World) {
  const userName = world.fresh('provisioned');
  return {
    schemas: [`${core}User`],
    userName,
    name: { givenName: 'Ada', familyName: userName },
    emails: [{ value: `${userName}@people.example`, primary: true }],
  };
}

function group(world: World) {
  return { schemas: [`${core}Group`], displayName: world.fresh('Provisioned') };
}

const made = async (world: World, path: '/Users' | '/Groups') => {
  const { id } = await world.provision(path, path === '/Users' ? user(world) : group(world));
  return { params: { id: String(id) } };
};

const patch = (path: string, value: string) => ({
  schemas: [`${message}PatchOp`],
  Operations: [{ op: 'replace', path, value }],
});
const search = { schemas: [`${message}SearchRequest`], count: 1 };

function resources(path: '/Users' | '/Groups', body: (world: World) => object, changed: string): Examples {
  return {
    [`GET /scim${path}`]: () => ({ query: '?count=1&sortBy=id' }),
    [`POST /scim${path}/.search`]: () => ({ body: search }),
    [`POST /scim${path}`]: (world) => ({ body: body(world) }),
    [`GET /scim${path}/{id}`]: (world) => made(world, path),
    [`PUT /scim${path}/{id}`]: async (world) => ({ ...(await made(world, path)), body: body(world) }),
    [`PATCH /scim${path}/{id}`]: async (world) => ({
      ...(await made(world, path)),
      body: patch(changed, world.fresh('Changed')),
    }),
    [`DELETE /scim${path}/{id}`]: (world) => made(world, path),
  };
}

const unsupported = () => ({ isUnsupported: true });

export const scimExamples: Examples = {
  'GET /scim/ServiceProviderConfig': () => ({}),
  'GET /scim/serviceConfiguration': () => ({}),
  'GET /scim/ResourceTypes': () => ({}),
  'GET /scim/ResourceTypes/{name}': () => ({ params: { name: 'User' } }),
  'GET /scim/Schemas': () => ({}),
  'GET /scim/Schemas/{name}': () => ({ params: { name: `${core}Group` } }),
  'GET /scim': () => ({ query: '?count=1' }),
  'POST /scim/.search': () => ({ body: search }),
  ...resources('/Users', user, 'title'),
  ...resources('/Groups', group, 'displayName'),
  'POST /scim/Bulk': (world) => ({
    body: {
      schemas: [`${message}BulkRequest`],
      Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: user(world) }],
    },
  }),
  // of a token without a user
  'GET /scim/Me': () => ({ needsSignIn: true }),
  'POST /scim/Me': unsupported,
  'PUT /scim/Me': unsupported,
  'PATCH /scim/Me': unsupported,
  'DELETE /scim/Me': unsupported,
};
