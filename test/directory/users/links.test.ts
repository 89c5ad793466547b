import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DefinedPermissions,
  ModelRelations,
  RevisionTokens,
  UnheldPermissions,
} from '../../../src/access/decisions/index.ts';
import { identifyAgain } from '../../../src/access/guard/index.ts';
import { Organizations } from '../../../src/directory/organizations/index.ts';
import { actors } from '../../../src/directory/records/index.ts';
import { createUser } from '../../../src/directory/users/changes/create-user.ts';
import { linkMails, sendLink } from '../../../src/directory/users/changes/send-link.ts';
import { setPassword } from '../../../src/directory/users/changes/set-password.ts';
import { changeStatus, statusChanges } from '../../../src/directory/users/changes/status.ts';
import { updateUser } from '../../../src/directory/users/changes/update-user.ts';
import { transactOnUser } from '../../../src/directory/users/changes/user-request.ts';
import { credentialRecords } from '../../../src/directory/users/credentials/credentials.ts';
import { linkRecords } from '../../../src/directory/users/credentials/links.ts';
import {
  redeemEmailVerification,
  redeemPasswordReset,
  type UserDependencies,
} from '../../../src/directory/users/index.ts';
import { type Caller, OrganizationDirectory } from '../../../src/kernel/organizations/index.ts';
import { loadSystemModel, RightCheck } from '../../../src/kernel/rights/index.ts';
import {
  createSealer,
  loadConfig,
  type ManualClock,
  manualClock,
  OutboundGuard,
  silentLog,
  systemRandom,
  uuidGenerator,
} from '../../../src/platform/index.ts';
import { assignmentsOf, modules } from '../../../src/server/modules.ts';
import { userDependencies } from '../../../src/server/service/identity-services.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';
import { mailBodies, SmtpInbox } from '../../platform/smtp-inbox.ts';

// Links are followed on pages that come with sign-in: here the functions behind those pages are called.

const facts = { requestId: 'test', header: () => '', clientAddress: () => '192.0.2.1' };

let scratch: ScratchEngine;
let inbox: SmtpInbox;
let clock: ManualClock;
let dependencies: UserDependencies;
let caller: Caller;
let other: Caller;
let userId: string;

beforeEach(async () => {
  clock = manualClock(Date.UTC(2030, 0, 1));
  scratch = await ScratchEngine.open({ clock: () => clock.now(), chainKey: Buffer.alloc(32, 1) });
  inbox = await SmtpInbox.open();
  const { engine } = scratch;
  const systemModel = loadSystemModel();
  const newId = uuidGenerator(clock, systemRandom);
  const organizations = new Organizations({ engine, clock, newId, systemModel });
  await organizations.prepare();
  for (const slug of ['acme', 'other']) await organizations.create(slug, slug);
  const { config } = loadConfig({ environment: { RELATA_SMTP_URL: inbox.url, RELATA_BASE_URL: 'https://id.example' } });
  const relations = new ModelRelations();
  const reader = {
    engine,
    clock,
    limits: config.limits,
    relations,
    defined: new DefinedPermissions(relations),
    unheld: new UnheldPermissions(relations),
    tokens: new RevisionTokens(engine.logIdentity),
    systemModel,
    rights: new RightCheck(),
    actors,
    assignments: assignmentsOf(modules),
    directory: new OrganizationDirectory(engine),
  };
  const as = (organization: string) =>
    engine.read(() => identifyAgain(reader, { organization, subject: undefined, task: { kind: 'test' } })) as Caller;
  caller = as('acme');
  other = as('other');
  dependencies = userDependencies({
    admin: { ...reader, audit: { newId, now: () => clock.now(), actors: reader.actors } },
    outbound: new OutboundGuard(config.allowPrivateUrls),
    queryPool: { run: () => Promise.reject(new Error('nothing here asks the pool')) },
    sealer: createSealer('the master key of this test, long enough'),
    config,
    log: silentLog,
    modules,
  });
  userId = await newUser('anne@example.com');
});
afterEach(async () => {
  await scratch.close();
  await inbox.close();
});

const newUser = (email: string) =>
  createUser(dependencies, caller, facts, {
    email,
    emailVerified: false,
    isActive: true,
    roles: [],
    groups: [],
    metadata: {},
  });
const request = () => ({ dependencies, caller, facts, reference: userId, family: 'org' }) as const;
const credentials = () => scratch.engine.read(() => credentialRecords.get(caller.organization.store, userId)?.document);

async function mailed(kind: keyof typeof linkMails): Promise<string> {
  const before = inbox.mails.length;
  await sendLink(request(), linkMails[kind]);
  const mail = inbox.mails[before];
  if (mail === undefined) throw new Error('no mail came');
  return /\?token=([0-9A-Za-z]+)/.exec(mailBodies(mail))?.[1] ?? '';
}

const reset = (token: string, password = 'correct horse', by = caller) =>
  redeemPasswordReset(dependencies, by.organization, facts, token, password);
const verify = (token: string, by = caller) => redeemEmailVerification(dependencies, by.organization, facts, token);

test('a user without a password has to set one', () => {
  expect(credentials()).toEqual({ mustChange: true, previous: [] });
});

test('an administrator’s password can be one for the first login alone', async () => {
  await setPassword(request(), { password: 'correct horse', requireChange: true });
  expect(credentials()).toEqual({
    hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    mustChange: true,
    changedAt: clock.now(),
    previous: [],
  });
});

describe('a link to set a password', () => {
  test('works once', async () => {
    const token = await mailed('passwordReset');
    expect(await reset(token)).toBe(userId);
    const { hash = '', mustChange } = credentials() ?? {};
    expect(mustChange).toBe(false);
    expect(await dependencies.hasher.verify(hash, 'correct horse')).toBe(true);
    expect(await dependencies.hasher.verify(hash, 'other horse')).toBe(false);
    expect(await reset(token)).toBeUndefined();
  });

  test('of two who follow it at once, one does', async () => {
    const token = await mailed('passwordReset');
    const followed = await Promise.all([reset(token, 'correct horse'), reset(token, 'other horse')]);
    expect(followed.filter((user) => user !== undefined)).toHaveLength(1);
  });

  test('is not spent by a password that the policy refuses', async () => {
    const token = await mailed('passwordReset');
    await expect(reset(token, 'short')).rejects.toMatchObject({ problem: { kind: { code: 'refused' } } });
    expect(await reset(token)).toBeDefined();
  });

  test('lasts an hour', async () => {
    const token = await mailed('passwordReset');
    clock.advance(60 * 60 * 1000);
    expect(await reset(token)).toBeUndefined();
  });

  test('is ended by the next one', async () => {
    const first = await mailed('passwordReset');
    const second = await mailed('passwordReset');
    expect(await reset(first)).toBeUndefined();
    expect(await reset(second)).toBeDefined();
  });

  test('is ended by a password that is set, and by a new address', async () => {
    const first = await mailed('passwordReset');
    await setPassword(request(), { password: 'correct horse' });
    expect(await reset(first)).toBeUndefined();
    const second = await mailed('passwordReset');
    await transactOnUser(request(), (transaction, user) => updateUser(transaction, user, { email: 'elk@example.com' }));
    expect(await reset(second)).toBeUndefined();
  });

  test('opens nothing for a blocked user, in another organization, or for another purpose', async () => {
    const token = await mailed('passwordReset');
    expect(await reset(token, 'correct horse', other)).toBeUndefined();
    expect(await verify(token)).toBeUndefined();
    await changeStatus(request(), statusChanges.block);
    expect(await reset(token)).toBeUndefined();
  });

  test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(10_000)])('is not %s', async (token) => {
    await mailed('passwordReset');
    expect(await reset(token)).toBeUndefined();
  });

  test('is stored as a digest', async () => {
    const token = await mailed('passwordReset');
    const stored = scratch.engine.read(() => linkRecords.list(caller.organization.store));
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token);
  });
});

describe('a link to confirm an address', () => {
  const isVerified = () =>
    scratch.engine.read(
      () => caller.organization.store.records.get<{ emailVerified: boolean }>('users', userId)?.document.emailVerified,
    );

  test('marks the address verified, once', async () => {
    const token = await mailed('emailVerification');
    expect(isVerified()).toBe(false);
    expect(await verify(token)).toBe(userId);
    expect(isVerified()).toBe(true);
    expect(await verify(token)).toBeUndefined();
  });

  test('says nothing of another address', async () => {
    const token = await mailed('emailVerification');
    await transactOnUser(request(), (transaction, user) => updateUser(transaction, user, { email: 'elk@example.com' }));
    expect(await verify(token)).toBeUndefined();
    expect(isVerified()).toBe(false);
  });

  test('lasts a day, works in its own organization alone, and sets no password', async () => {
    const token = await mailed('emailVerification');
    expect(await verify(token, other)).toBeUndefined();
    expect(await reset(token)).toBeUndefined();
    clock.advance(24 * 60 * 60 * 1000);
    expect(await verify(token)).toBeUndefined();
  });
});
