import { describe, expect, test } from 'vitest';
import { failureRecords } from '../../../src/identity/limits/failure-record.ts';
import { participationRecords } from '../../../src/identity/sessions/records/participation.ts';
import { sessionRecords } from '../../../src/identity/sessions/records/session-record.ts';
import { tokenRecords } from '../../../src/identity/sessions/records/token-record.ts';

const session = {
  userId: 'u',
  userNumber: 1,
  digest: 'd',
  ipAddress: '',
  userAgent: '',
  device: { type: null, os: null, browser: null },
  location: null,
  authMethod: 'password',
  mfaVerified: false,
  createdAt: 0,
  lastActiveAt: 1,
  epochs: {},
} as const;
const token = {
  type: 'access',
  clientId: 'c',
  scopes: [],
  createdAt: 0,
  expiresAt: 2,
  epochs: {},
} as const;
const participation = { sessionId: 's', userId: 'u', clientId: 'c' };

describe('a description accepts what an earlier version has stored', () => {
  test.each([
    ['a session from before sign-in had pages', sessionRecords, session],
    ['a token that names its digest', tokenRecords, { ...token, digest: 'd' }],
    [
      'failures without the time until which they matter',
      failureRecords,
      { failures: 1, firstAt: 0, lastAt: 0, isTold: false },
    ],
    ['a client that knows of a session, without its successor', participationRecords, participation],
  ])('%s', (_, { schema }, document) => {
    expect(schema.parse(document)).toEqual(document);
  });
});

describe('keys stay as earlier versions had them', () => {
  const open = { user: 'u', '#state': 'open:0', openUser: 'u', seen: '000000000000001' };

  test('of a session that is open, and of one that has ended', () => {
    expect(sessionRecords.write('s', session)).toMatchObject({ indexes: open, unique: { digest: 'd' } });
    const ended = sessionRecords.write('s', { ...session, endedAt: 3 });
    expect(ended.indexes).toEqual({ user: 'u', '#state': 'ended', ended: '000000000000003' });
    expect(ended).not.toHaveProperty('unique');
  });

  test('of a session whose address is known', () => {
    expect(sessionRecords.write('s', { ...session, ipAddress: '::1' }).indexes).toEqual({ ...open, address: '::1' });
  });

  test('of a client that hears of the end of another session than it knows', () => {
    expect(participationRecords.write('s c', participation).indexes).toEqual({ session: 's' });
    expect(participationRecords.write('s c', { ...participation, successorId: 't' }).indexes).toEqual({ session: 't' });
  });
});
