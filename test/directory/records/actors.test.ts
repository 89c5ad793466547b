import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actors, keyRecords, policyActors, userRecords } from '../../../src/directory/records/index.ts';
import { loadSystemModel } from '../../../src/kernel/rights/index.ts';
import { modules, recordsOf } from '../../../src/server/modules.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

let scratch: ScratchEngine;
let count = 0;
let name: string;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
});
beforeEach(async () => {
  name = `org:${++count}`;
  await scratch.engine.createStore(name);
});
afterAll(() => scratch.close());

const store = () => scratch.engine.store(name);
const permanent = (subject: string) => scratch.engine.read(() => actors.isPermanent(store(), subject));
const counts = (subject: string, now: number) => scratch.engine.read(() => actors.counts(store(), subject, now));

const user = {
  number: 1,
  email: 'anne@example.com',
  emailVerified: true,
  isActive: true,
  isBlocked: false,
  mfaEnabled: false,
  metadata: {},
  createdAt: 0,
  updatedAt: 0,
  loginCount: 0,
};
const key = { name: 'k', digest: 'd', tail: 'tail', createdAt: 0, createdBy: 'platform' };

test('are the subjects that the system model gives permissions to by themselves', () => {
  const granted = loadSystemModel().model.types.get('permission')?.relations.get('granted');
  const direct = granted?.directSubjects.filter(({ relation, type }) => relation === undefined && type !== 'elevation');
  expect(direct?.map(({ type }) => type).toSorted()).toEqual(actors.kinds.map(({ type }) => type).toSorted());
  expect(actors.isType('group')).toBe(false);
});

test('each kind has records that are registered, and one name in the audit log', () => {
  const registered = new Set(recordsOf(modules).map(({ collection }) => collection));
  expect(actors.kinds.filter(({ collection }) => !registered.has(collection))).toEqual([]);
  expect(actors.kinds.map(({ type }) => [type, actors.audited(`${type}:1`)])).toEqual([
    ['user', { type: 'user', id: '1' }],
    ['agent', { type: 'agent', id: '1' }],
    ['api_key', { type: 'admin', id: 'api_key:1' }],
    ['oauth_client', { type: 'admin', id: 'oauth_client:1' }],
  ]);
  expect(registered).toContain('scim_tokens');
  expect(actors.audited('scim_token:1')).toEqual({ type: 'scim_token', id: '1' });
  expect(actors.audited('platform')).toEqual({ type: 'admin', id: 'platform' });
  expect([actors.formerName('oauth_client:1'), actors.formerName('api_key:1'), actors.formerName('1')]).toEqual([
    { type: 'agent', id: '1' },
    undefined,
    undefined,
  ]);
});

test('policies apply to those whom the system model lets them', () => {
  const applies = loadSystemModel().model.types.get('policy')?.relations.get('applies');
  expect(applies?.directSubjects.map(({ type }) => type)).toEqual([...policyActors]);
});

test.each([
  ['an active user', { ...user }, true],
  ['one who is blocked', { ...user, isBlocked: true }, false],
  ['one who was deactivated', { ...user, isActive: false }, false],
] as const)('%s is permanent: %#', async (_, document, expected) => {
  await scratch.engine.submit(scratch.engine.command([userRecords.put(store(), 'u', document)]));
  expect(permanent('user:u')).toBe(expected);
});

test('a key is permanent without an expiry, and counts until it has expired', async () => {
  const changes = [
    keyRecords.put(store(), 'a', key),
    keyRecords.put(store(), 'b', { ...key, digest: 'e', expiresAt: 5 }),
  ];
  await scratch.engine.submit(scratch.engine.command(changes));
  expect([permanent('api_key:a'), permanent('api_key:b')]).toEqual([true, false]);
  expect([counts('api_key:a', 9), counts('api_key:b', 4), counts('api_key:b', 5)]).toEqual([true, true, false]);
});

test('conditions see what is on record of a user, and of everybody the type and id', async () => {
  const document = { ...user, metadata: { team: 'blue', id: 'another' }, number: 2, email: 'bo@example.com' };
  await scratch.engine.submit(scratch.engine.command([userRecords.put(store(), 'bo', document)]));
  const seen = (subject: string) => scratch.engine.read(() => actors.attributes(store(), subject));
  expect(seen('user:bo')).toMatchObject({ team: 'blue', email: 'bo@example.com', type: 'user', id: 'bo' });
  expect(seen('user:nobody')).toEqual({ type: 'user', id: 'nobody' });
  expect(seen('agent:a:b')).toEqual({ type: 'agent', id: 'a:b' });
});

test('whoever has no record counts as the tuples say, and is never permanent', () => {
  for (const subject of ['user:x', 'agent:x', 'api_key:x', 'oauth_client:x', 'employee:x', 'group:g#member']) {
    expect([counts(subject, 0), permanent(subject)]).toEqual([true, false]);
  }
});
