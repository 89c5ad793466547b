import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { platformKey } from '../../server/running-service.ts';
import { type Family, families, inFamily, single } from './sections.ts';

const on = scene();
const call = (family: Family, method: string, body?: unknown, path = '/organization') =>
  inFamily(on.org, family, method, path, body);

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const initial = { logo_url: null, favicon_url: null, primary_color: '#2563eb', text_color: '#111827' };
const profile = (changes: object = {}) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  slug: on.org.slug,
  name: on.org.slug,
  settings: initial,
  metadata: {},
  createdAt: time,
  updatedAt: time,
  ...changes,
});

describe.each(families)('in the %s family', (family) => {
  test('read, replaced, merged', async () => {
    const first = await call(family, 'GET');
    expect(first).toMatchObject({ status: 200, body: single(family, profile()) });
    const full = {
      name: 'Acme Inc.',
      settings: { ...initial, logo_url: 'https://acme.example/l.png', primary_color: '#abcdef' },
      metadata: { tier: 'gold', owner: { name: 'Anne', tags: ['a', 'b'] }, size: 7 },
    };
    const replaced = await call(family, 'PUT', full);
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual(single(family, profile(full)));
    const merged = await call(family, 'PATCH', {
      settings: { text_color: '#000' },
      metadata: { tier: null, owner: { name: 'Bob' }, size: { kb: 1 } },
    });
    const after = {
      ...full,
      settings: { ...full.settings, text_color: '#000' },
      metadata: { owner: { name: 'Bob', tags: ['a', 'b'] }, size: { kb: 1 } },
    };
    expect(merged.body).toEqual(single(family, profile(after)));
    expect((await call(family, 'PUT', {})).body).toEqual(single(family, profile({ name: 'Acme Inc.' })));
  });

  test('what was read can be sent back; slug and id never change', async () => {
    const read = (await call(family, 'GET')).at(family === 'org' ? 'data.data' : 'data') as object;
    const sent = { ...read, slug: 'other', id: 'other', createdAt: 'never' };
    expect((await call(family, 'PUT', sent)).body).toEqual(single(family, profile()));
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'a\u0000' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ settings: [] }, 'settings'],
    [{ settings: { logo_url: 'http://a.example/' } }, 'settings.logo_url'],
    [{ settings: { primary_color: 'red' } }, 'settings.primary_color'],
    [{ settings: { other: 1 } }, 'settings.other'],
    [{ metadata: [] }, 'metadata'],
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: { big: 'x'.repeat(17_000) } }, 'metadata'],
    [{ metadata: { ['n'.repeat(129)]: 1 } }, `metadata.${'n'.repeat(129)}`],
    [{ metadata: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } }, 'metadata'],
    [{ metadata: { list: Array(100_000).fill(1) } }, 'metadata'],
    [{ other: 1 }, 'other'],
  ])('%j is refused', async (body, path) => {
    for (const method of ['PUT', 'PATCH']) {
      const answer = await call(family, method, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
    }
  });
});

test('metadata that grows past its bound by merging is refused as a whole', async () => {
  expect((await call('org', 'PATCH', { metadata: { a: 'x'.repeat(9000) } })).status).toBe(200);
  const more = await call('org', 'PATCH', { name: 'Changed', metadata: { b: 'x'.repeat(9000) } });
  expect(more).toMatchObject({ status: 400, body: { errors: [{ path: 'metadata' }] } });
  expect((await call('org', 'GET')).at('data.data.name')).toBe(on.org.slug);
});

test('names and brand are one truth with the settings and the platform’s list', async () => {
  await call('org', 'PATCH', { name: 'Acme', settings: { primary_color: '#123456' } });
  expect((await call('org', 'GET', undefined, '/settings/general')).at('data.data.name')).toBe('Acme');
  expect((await call('tenant', 'GET', undefined, '/settings')).at('data.branding')).toMatchObject({
    displayName: 'Acme',
    primaryColor: '#123456',
  });
  await call('tenant', 'PUT', { branding: { displayName: 'Beta', logoUrl: 'https://b.example/l' } }, '/settings');
  expect((await call('org', 'GET')).at('data.data')).toMatchObject({
    name: 'Beta',
    settings: { logo_url: 'https://b.example/l' },
  });
  const listed = await on.service.call('GET', `/platform/api/v1/orgs/${on.org.slug}`, { key: platformKey });
  expect(listed.at('data.name')).toBe('Beta');
});

test('the time of the last change moves with each change, and with nothing else', async () => {
  const at = async () => (await call('org', 'GET')).text('data.data.updatedAt');
  const before = await at();
  await call('org', 'PUT', {});
  await call('org', 'PATCH', { name: on.org.slug });
  expect(await at()).toBe(before);
  await call('org', 'PATCH', { metadata: { a: 1 } });
  expect(Date.parse(await at())).toBeGreaterThan(Date.parse(before));
});
