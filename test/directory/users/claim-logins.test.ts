import { afterAll, beforeAll, expect, test } from 'vitest';
import { type UserRecord, userRecords } from '../../../src/directory/records/index.ts';
import { claimLogins } from '../../../src/directory/users/profile/claim-logins.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const person = (number: number, email: string, more: Partial<UserRecord> = {}): UserRecord => ({
  number,
  email,
  emailVerified: true,
  isActive: true,
  isBlocked: false,
  mfaEnabled: false,
  metadata: {},
  createdAt: 0,
  updatedAt: 0,
  loginCount: 0,
  ...more,
});
const scim = { attributes: {} };
const named = person(1, 'named@people.example', { username: 'Both@people.example', scim });
const addressed = person(2, 'both@people.example');
const conflict = expect.objectContaining({ problem: expect.objectContaining({ detail: expect.any(String) }) });

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.createStore('s');
  // two that an earlier version has let come about at the same moment
  await scratch.engine.submit(
    scratch.engine.command([
      userRecords.put({ name: 's' }, 'a', named),
      userRecords.put({ name: 's' }, 'b', addressed),
    ]),
  );
});
afterAll(() => scratch.close());

const claims = (id: string, before: UserRecord | undefined, after: UserRecord) =>
  scratch.engine.read(() => claimLogins(scratch.engine.store('s'), id, before, after));

test('who has been given another’s login by an earlier version can be changed, and can leave it', () => {
  expect(claims('a', named, { ...named, title: 'Boss' })).toEqual([]);
  expect(claims('b', addressed, { ...addressed, title: 'Boss' })).toEqual([]);
  expect(claims('a', named, { ...named, username: 'free' })).toHaveLength(1);
  expect(claims('b', addressed, { ...addressed, email: 'free@people.example' })).toHaveLength(1);
});

test('nobody gets it anew: neither who comes, nor who is changed, nor who is provisioned from now on', () => {
  const other = person(3, 'other@people.example', { username: 'BOTH@people.example' });
  expect(claims('c', undefined, other)).toHaveLength(1);
  expect(() => claims('c', undefined, person(3, 'BOTH@people.example'))).toThrow(conflict);
  expect(() => claims('c', undefined, { ...other, scim })).toThrow(conflict);
  expect(() => claims('c', other, { ...other, scim })).toThrow(conflict);
});
