import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Catalog, catalogNames, catalogs, EventTypes, ownNames } from '../../../src/kernel/events/index.ts';
import { eventsOf, modules } from '../../../src/server/modules.ts';
import { repositoryRoot } from '../../architecture/source-tree.ts';

const allEvents = eventsOf(modules);
const types = new EventTypes(allEvents);
const source = { id: '01920000-0000-7000-8000-0000000000ff', slug: 'library' };
const createdAt = 1_767_225_600_000;
const iso = z.iso.datetime();
const user = z.looseObject({ id: z.string().nullable(), email: z.string().nullable() });

/** What concerns one receiver of security events, and nobody who subscribes to a catalog. */
const forStreamsAlone = ['signals.verification'];

/** The bodies of deliveries, as the specification has them. */
const payloads = {
  a: z.strictObject({ id: z.string(), type: z.string(), orgId: z.string(), createdAt: iso, data: z.looseObject({}) }),
  b: z.strictObject({ id: z.string(), type: z.string(), timestamp: iso, data: z.looseObject({}) }),
  c: z.strictObject({
    id: z.string(),
    type: z.string(),
    timestamp: iso,
    organization: z.string(),
    data: z.looseObject({}),
  }),
};

/** Data that it names. */
const named: readonly { catalog: Catalog; types: RegExp; data: z.ZodType }[] = [
  {
    catalog: 'a',
    types: /^user\.login$/,
    data: z.looseObject({ userId: z.string(), email: z.string(), ip: z.string(), userAgent: z.string() }),
  },
  { catalog: 'b', types: /^user\./, data: z.looseObject({ user }) },
  {
    catalog: 'c',
    types: /^auth\.login\.success$/,
    data: z.looseObject({
      user_id: z.string(),
      email: z.string(),
      ip_address: z.string(),
      user_agent: z.string(),
      method: z.string(),
      session_id: z.string(),
    }),
  },
];

const told = catalogs.flatMap((catalog) =>
  allEvents.flatMap((type) => {
    const name = type.nameIn(catalog);
    return name === undefined ? [] : [{ catalog, name, type }];
  }),
);

const specification = join(repositoryRoot, '../shared/spec.md');

/** The names in one catalog of the specification. */
function specified(catalog: Catalog): string[] {
  const text = readFileSync(specification, 'utf8');
  const section = new RegExp(`### Catalog ${catalog.toUpperCase()} [^]*?\nPayload`).exec(text)?.[0] ?? '';
  return [...section.matchAll(/\b[a-z]+(?:\.[a-z_]+)+/g)].map(([name]) => name);
}

describe.each(catalogs)('catalog %s', (catalog) => {
  it.skipIf(!existsSync(specification))('has the names of the specification', () => {
    const names = specified(catalog);
    expect(names.length).toBeGreaterThan(10);
    expect([...catalogNames[catalog]].toSorted()).toEqual(names.toSorted());
  });

  it('has a type of events for each of its names', () => {
    const own: readonly string[] = ownNames;
    const caused = [...catalogNames[catalog]];
    expect(
      types
        .namesIn(catalog)
        .filter((name) => !own.includes(name))
        .toSorted(),
    ).toEqual(caused.toSorted());
  });

  it.each(types.entriesIn(catalog))('describes $name, with an example', ({ name, schema, example }) => {
    expect(schema).toMatchObject({ type: 'object', properties: { type: { const: name } } });
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
    expect(payloads[catalog].parse(JSON.parse(JSON.stringify(example)))).toMatchObject({ type: name });
    expect(Object.keys(schema.properties as object).toSorted()).toEqual(Object.keys(example).toSorted());
  });
});

describe.each(allEvents)('$type', (type) => {
  const event = { id: 'e1', type: type.type, createdAt, data: type.example as Record<string, unknown> };

  it('has an example that its schema allows, also as it comes back from the store', () => {
    expect(type.data.parse(JSON.parse(JSON.stringify(type.example)))).toEqual(type.example);
    expect(type.data.safeParse({ ...type.example, other: 1 }).success).toBe(false);
  });

  it.each(told.filter((each) => each.type === type))('has the payload of catalog $catalog', ({ catalog, name }) => {
    const text = JSON.stringify(types.payload(catalog, source, event));
    const payload = payloads[catalog].parse(JSON.parse(text));
    expect(payload).toMatchObject({ id: 'e1', type: name });
    expect(text).toContain('2026-01-01T00:00:00.000Z');
    if (catalog !== 'b') expect(text).toContain(catalog === 'a' ? source.id : source.slug);
    for (const rule of named) {
      if (rule.catalog === catalog && rule.types.test(name)) rule.data.parse(payload.data);
    }
    expect(type.schemaIn(catalog)?.parse(payload.data)).toEqual(payload.data);
    const keys = Object.keys(payload.data);
    expect(keys.length).toBeGreaterThan(0);
    if (catalog === 'c') expect(keys.filter((key) => !/^[a-z_]+$/.test(key))).toEqual([]);
  });

  it('is about resources, and belongs to a catalog', () => {
    expect(types.about(event).length).toBeGreaterThan(0);
    for (const name of types.about(event)) expect(name).toMatch(/^[a-z]+:[^:]+$/);
    expect(told.some((each) => each.type === type)).toBe(!forStreamsAlone.includes(type.type));
  });

  it('is nothing in a catalog that does not have it', () => {
    for (const catalog of catalogs) {
      const isTold = told.some((each) => each.type === type && each.catalog === catalog);
      expect(types.payload(catalog, source, event) !== undefined).toBe(isTold);
    }
  });
});

it.each([
  ['user.password_changed', { reason: 'set' }],
  ['role.assigned', { userId: null, email: null, groupId: 'g', group: 'eng' }],
])('%s is told in the third catalog only where that has a name for it', (name, change) => {
  const type = allEvents.find((each) => each.type === name);
  const data = type?.data.parse({ ...type.example, ...change }) as Record<string, unknown>;
  const event = { id: 'e1', type: name, createdAt, data };
  expect(types.payload('c', source, event)).toBeUndefined();
  expect(types.payload('a', source, event)).toBeDefined();
});

it('a type that this version does not know is told in no catalog', () => {
  const event = { id: 'e1', type: 'user.vanished', createdAt, data: {} };
  for (const catalog of catalogs) expect(types.payload(catalog, source, event)).toBeUndefined();
  expect(types.about(event)).toEqual([]);
});
