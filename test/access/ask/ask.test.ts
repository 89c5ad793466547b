import { describe, expect, test } from 'vitest';
import { forbidden, scene } from '../../security/organizations.ts';
import type { Organization } from '../../server/running-service.ts';
import { askedOf, asking } from './asking.ts';

const on = scene();

const documents = [
  'type user',
  'type document',
  '  relations',
  '    define owner: [user, api_key]',
  '    define can_read: owner',
  '    define can_share: owner',
];

async function withDocuments(org: Organization): Promise<void> {
  for (const action of ['read', 'delete']) {
    const body = { slug: `document:${action}`, name: `${action} documents` };
    expect((await org.post('/admin/permissions', body)).status).toBe(201);
  }
  await org.model(...documents);
}

describe('who may ask about whom', () => {
  test('everybody about themselves, and about others only with authz:check', async () => {
    await withDocuments(on.org);
    const key = await on.org.newKey({ permissions: ['document:read'] });
    const own = on.as(key);
    expect(await askedOf(own, 'Can I read documents?')).toMatchObject({ allowed: true });
    expect(await askedOf(own, 'Can I read documents?', {}, key.subject)).toMatchObject({ allowed: true });
    expect(await asking(own, 'Can she read documents?', {}, 'user:anne')).toMatchObject(forbidden);
    expect(await asking(own, 'Can user:anne read documents?')).toMatchObject(forbidden);
    const asker = on.as(await on.org.newKey({ permissions: ['authz:check'] }));
    await on.org.write('permission:document:read#granted@user:anne');
    expect(await askedOf(asker, 'Can she read documents?', {}, 'user:anne')).toMatchObject({ allowed: true });
    expect(await askedOf(asker, 'Can user:anne read documents?')).toMatchObject({ allowed: true });
    expect(await askedOf(asker, 'Can user:bob read documents?')).toMatchObject({ allowed: false });
  });

  test('nobody without a credential, and the super administrator only about somebody', async () => {
    expect((await on.org.call('POST', '/agents/ask', { body: { question: 'Can I?' }, key: '' })).status).toBe(401);
    await withDocuments(on.org);
    const platform = on.as({ key: 'rlt_platform_tests' });
    const status = (await asking(platform, 'Can I read documents?')).status;
    expect([400, 401]).toContain(status);
  });
});

describe('what every organization has', () => {
  test.each(['May I list users?', 'Can I fetch the users?', 'May I retrieve users?', 'Can I read users?'])(
    '%s',
    async (question) => {
      const reader = on.as(await on.org.newKey({ permissions: ['users.read'] }));
      expect(await askedOf(reader, question)).toMatchObject({ allowed: true, required_scopes: ['users.read'] });
    },
  );
});

describe('what the explanation tells', () => {
  test('with tuples.read how it comes, without it only whether', async () => {
    await withDocuments(on.org);
    await on.org.write('permission:document:read#granted@role:editor#assignee');
    const reader = await on.org.newKey({ roles: ['editor'], permissions: ['tuples.read'] });
    const plain = await on.org.newKey({ roles: ['editor'] });
    const told = await askedOf(on.as(reader), 'Can I read documents?');
    expect(told.explanation).toMatch(
      /^Yes\. Api key \S+ holds document:read \(read documents\) through the role editor\.$/,
    );
    const untold = await askedOf(on.as(plain), 'Can I read documents?');
    expect(untold).toMatchObject({ allowed: true, required_scopes: ['document:read'] });
    expect(untold.explanation).toMatch(/^Yes\. Api key \S+ holds document:read \(read documents\)\.$/);
    const denied = await askedOf(on.as(plain), 'Can I delete document:d1?');
    expect(denied).toMatchObject({ allowed: false, required_scopes: ['document:delete'] });
    expect(denied.explanation).toMatch(/^No\. Api key \S+ does not hold document:delete on document:d1 /);
  });

  test('names are told of whom asks, and to whom may read them', async () => {
    await withDocuments(on.org);
    const { org } = on;
    const made = await org.post('/admin/users', { email: 'anne@example.com', name: 'Anne Ott' });
    const anne = `user:${made.text('data.id')}`;
    expect((await org.post('/admin/roles', { slug: 'editor', name: 'Editors of the\u202e wiki' })).status).toBe(201);
    await org.write('permission:document:read#granted@role:editor#assignee', `role:editor#assignee@${anne}`);
    const answer = await askedOf(org, 'Can she read documents?', {}, anne);
    expect(answer.explanation).toBe(
      'Yes. User Anne Ott holds document:read (read documents) through the role editor (Editors of the[U+202E] wiki).',
    );
    const asker = on.as(await org.newKey({ permissions: ['authz:check', 'tuples.read'] }));
    const plain = await askedOf(asker, 'Can she read documents?', {}, anne);
    expect(plain.explanation).toBe(
      `Yes. User ${anne.slice(5)} holds document:read (read documents) through the role editor.`,
    );
  });

  test('a negative question is answered about the action', async () => {
    await withDocuments(on.org);
    const own = on.as(await on.org.newKey({ permissions: ['document:read'] }));
    for (const question of [
      'Am I forbidden to read documents?',
      "Can't I read documents?",
      'Am I not allowed to read documents?',
    ]) {
      const answer = await askedOf(own, question);
      expect(answer.allowed).toBe(true);
      expect(answer.explanation).toMatch(/^It is allowed\. /);
    }
    expect((await askedOf(own, "Can't I delete documents?")).explanation).toMatch(/^It is not allowed\. /);
  });

  test('what is needed is told first', async () => {
    await withDocuments(on.org);
    const own = on.as(await on.org.newKey({}));
    const answer = await askedOf(own, 'Which permission do I need to delete documents?');
    expect(answer).toMatchObject({ allowed: false, required_scopes: ['document:delete'] });
    expect(answer.explanation).toMatch(/^This needs document:delete \(delete documents\)\. /);
  });

  test('a question about several things names them, and is refused', async () => {
    await withDocuments(on.org);
    const answer = await askedOf(on.org, 'Can I read and delete documents?', {}, 'user:anne');
    expect(answer).toMatchObject({ allowed: false, required_scopes: ['document:read', 'document:delete'] });
    expect(answer.confidence).toBeLessThan(0.3);
  });

  test('by guessing names nobody learns which roles there are', async () => {
    await withDocuments(on.org);
    expect((await on.org.post('/admin/roles', { slug: 'spy', name: 'Spy' })).status).toBe(201);
    const own = on.as(await on.org.newKey({ permissions: ['document:read'] }));
    const text = async (question: string) => JSON.stringify(await askedOf(own, question));
    expect(await text('Am I a spy?')).toBe(await text('Am I a dragon?'));
    const named = (role: string) => text(`Do I have the role ${role}?`);
    expect((await named('spy')).replaceAll('spy', 'dragon')).toBe(await named('dragon'));
    const holder = on.as(await on.org.newKey({ roles: ['spy'] }));
    expect(await askedOf(holder, 'Am I a spy?')).toMatchObject({ allowed: true });
  });
});

describe('relations', () => {
  test('of an object that the question or the context names', async () => {
    await withDocuments(on.org);
    await on.org.write('document:readme#owner@user:anne');
    const about = (question: string, context = {}) => askedOf(on.org, question, context, 'user:anne');
    expect(await about('Am I the owner of document:readme?')).toMatchObject({ allowed: true, required_scopes: [] });
    expect(await about('Am I the owner of document:other?')).toMatchObject({ allowed: false, required_scopes: [] });
    expect(await about('Can I share the document readme?')).toMatchObject({ allowed: true });
    expect(await about('Can I share this?', { resource: 'document:readme' })).toMatchObject({ allowed: true });
    expect(await about('Can I share this?', { resource: { type: 'document', id: 'x' } })).toMatchObject({
      allowed: false,
    });
    // can_read of the object counts with the permission
    expect(await about('Can I read document:readme?')).toMatchObject({
      allowed: true,
      required_scopes: ['document:read'],
    });
    expect(await about('Can I share documents?')).toMatchObject({ allowed: false });
  });
});

describe('the vocabulary', () => {
  test('is that of the moment', async () => {
    const { org } = on;
    const about = () => askedOf(org, 'Can I juggle oranges?', {}, 'user:anne');
    expect((await about()).confidence).toBeLessThan(0.3);
    const made = await org.post('/admin/permissions', { slug: 'fruit:juggle', name: 'Juggle oranges' });
    expect(made.status).toBe(201);
    expect(await about()).toMatchObject({ allowed: false, required_scopes: ['fruit:juggle'] });
    await org.write('permission:fruit:juggle#granted@user:anne');
    expect(await about()).toMatchObject({ allowed: true });
    expect((await org.call('DELETE', `/admin/permissions/${made.text('data.id')}`)).status).toBe(204);
    const after = await about();
    expect(after.allowed).toBe(false);
    expect(after.confidence).toBeLessThan(0.3);
  });

  test('is that of the organization alone', async () => {
    const other = await on.service.organization(`${on.org.slug}b`);
    expect((await other.post('/admin/permissions', { slug: 'fruit:juggle', name: 'Juggle oranges' })).status).toBe(201);
    expect((await askedOf(other, 'Can I juggle oranges?', {}, 'user:anne')).required_scopes).toEqual(['fruit:juggle']);
    const here = await askedOf(on.org, 'Can I juggle oranges?', {}, 'user:anne');
    expect(here).toMatchObject({ allowed: false, required_scopes: [] });
    expect(here.explanation).not.toContain('juggle');
  });
});

test.each([
  { name: 'no question', body: {} },
  { name: 'an empty one', body: { question: '' } },
  { name: 'a long one', body: { question: 'x'.repeat(1001) } },
  { name: 'a number', body: { question: 1 } },
  { name: 'a context that is no object', body: { question: 'Can I?', context: 'document:1' } },
  { name: 'a resource without a type', body: { question: 'Can I?', context: { resource: 'readme' } } },
  { name: 'a subject with a space', body: { question: 'Can I?', context: { subject: 'user:a b' } } },
  {
    name: 'a context of many members',
    body: { question: 'Can I?', context: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`m${at}`, at])) },
  },
])('$name is refused', async ({ body }) => {
  expect(await on.org.post('/agents/ask', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('other members of the context change nothing', async () => {
  const context = { allowed: true, permission: 'settings.manage', note: { deep: ['x'] } };
  expect(await askedOf(on.org, 'Can I juggle oranges?', context, 'user:anne')).toMatchObject({ allowed: false });
});
