import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveToken } from '../../../src/identity/sessions/index.ts';
import { randomNumbers } from '../../engine/shuffle.ts';
import { earlierWrite } from './earlier-tokens.ts';
import {
  type InProcessOrganization,
  InProcessService,
  isGoodToken,
  type NewUser,
  type SignedIn,
} from './in-process-service.ts';

/**
 * Grants, what they issue, and what is exchanged for that by other clients: begun, renewed, revoked one by one and all at
 * once, expired and swept at random, and some of them as earlier versions wrote them. After each step every list is what a
 * plain list beside it says.
 */

let service: InProcessService;
let org: InProcessOrganization;
let users: NewUser[];
const sessions: KnownSession[] = [];
let tokens: Known[] = [];

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('tokenmodel');
  users = await Promise.all(['a', 'b'].map((name) => org.newUser(`${name}@example.com`)));
});
afterAll(() => service.stop());

const HOUR = 3_600_000;
/** How long nobody uses a session that goes on. */
const IDLE = 2 * HOUR;
const clients = ['app', 'agent', 'other'] as const;

interface KnownSession extends SignedIn {
  readonly userId: string;
  readonly createdAt: number;
  hasEnded: boolean;
}

interface Known {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly session: KnownSession | undefined;
  readonly parent: Known | undefined;
  expiresAt: number;
  readonly isGrant: boolean;
  hasEnded: boolean;
}

const isOpen = ({ hasEnded, createdAt }: KnownSession): boolean => !hasEnded && service.clock.now() < createdAt + IDLE;

function isLive(token: Known): boolean {
  const { hasEnded, expiresAt, session, parent } = token;
  if (hasEnded || service.clock.now() >= expiresAt) return false;
  return (session === undefined || isOpen(session)) && (parent === undefined || isLive(parent));
}

const seed = 11;
const numbers = randomNumbers(seed);
const random = (below: number): number => numbers() % below;
const one = <T>(list: readonly T[]): T | undefined => list[random(list.length)];

async function issue(grant: Pick<Known, 'clientId' | 'userId' | 'session' | 'parent' | 'isGrant'>): Promise<void> {
  const lifetime = grant.isGrant ? 3 * HOUR : HOUR / 2 + random(HOUR);
  const expiresAt = Math.min(service.clock.now() + lifetime, grant.parent?.expiresAt ?? Number.POSITIVE_INFINITY);
  const { clientId, userId, session, parent, isGrant } = grant;
  const entry = await org.issue({
    type: isGrant ? 'refresh' : 'access',
    clientId,
    userId,
    scopes: [],
    expiresAt,
    ...(session === undefined ? {} : { sessionId: session.id }),
    ...(parent === undefined ? {} : { [parent.isGrant ? 'grantId' : 'parentId']: parent.id }),
  });
  if (entry === undefined) return;
  tokens.push({ ...grant, id: entry.id, expiresAt, hasEnded: false });
  if (random(3) === 0) await service.submit([earlierWrite(org.organization.store, entry)]);
}

const live = (): Known[] => tokens.filter(isLive);

const steps: readonly (() => Promise<unknown> | unknown)[] = [
  async () => {
    const user = one(users) as NewUser;
    const started = await org.signIn(user);
    sessions.push({ ...started, userId: user.id, createdAt: service.clock.now(), hasEnded: false });
  },
  beginGrant,
  beginGrant,
  issueByGrant,
  issueByGrant,
  issueByGrant,
  renewGrant,
  renewGrant,
  exchange,
  exchange,
  exchange,
  () => service.clock.advance(random(HOUR / 3)),
  async () => {
    const token = one(live());
    if (token === undefined) return;
    expect((await org.org('DELETE', `/admin/tokens/${token.id}`)).status).toBe(204);
    token.hasEnded = true;
  },
  async () => {
    const session = one(sessions.filter(isOpen));
    if (session === undefined) return;
    await org.org('DELETE', `/admin/sessions/${session.id}`);
    session.hasEnded = true;
  },
  async () => {
    const clientId = one(clients);
    if (random(3) > 0 || !tokens.some((token) => token.clientId === clientId)) return;
    await org.org('DELETE', `/admin/clients/${clientId}/tokens`);
    for (const token of tokens) if (token.clientId === clientId) token.hasEnded = true;
  },
  async () => {
    const user = one(users);
    if (random(3) > 0) return;
    await org.org('DELETE', `/admin/users/${user?.id}/tokens`);
    for (const token of tokens) if (token.userId === user?.id) token.hasEnded = true;
  },
  async () => {
    if (random(6) > 0) return;
    await org.tenant('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    for (const each of [...tokens, ...sessions]) each.hasEnded = true;
  },
  () => service.sweepOnce(1 + random(5)),
  () => service.sweepOnce(3),
  () => (random(4) === 0 ? service.sweep() : undefined),
];

async function beginGrant(): Promise<void> {
  const session = one(sessions.filter(isOpen));
  const userId = session?.userId ?? (one(users) as NewUser).id;
  const bound = random(3) === 0 ? undefined : session;
  await issue({ clientId: 'app', userId, session: bound, parent: undefined, isGrant: true });
}

async function issueByGrant(): Promise<void> {
  const parent = one(live().filter(({ isGrant }) => isGrant));
  if (parent === undefined) return;
  await renew(parent);
  const { clientId, userId, session } = parent;
  await issue({ clientId, userId, session, parent, isGrant: false });
}

async function renewGrant(): Promise<void> {
  const grant = one(live().filter(({ isGrant }) => isGrant));
  if (grant !== undefined) await renew(grant);
}

/** The next refresh token of a grant: it goes on for longer or, by settings that have changed, for shorter. */
async function renew(grant: Known): Promise<void> {
  const { store } = org.organization;
  const children = tokens.filter(({ parent }) => parent === grant).map(({ expiresAt }) => expiresAt);
  const expiresAt = Math.max(service.clock.now() + HOUR + random(3 * HOUR), ...children);
  await service.commit(() => {
    const entry = liveToken(store, grant.id, service.clock.now());
    return entry && service.signedIn.tokens.renewal(store, entry, expiresAt);
  });
  grant.expiresAt = expiresAt;
}

/** By whatever client, also for what was exchanged before. */
async function exchange(): Promise<void> {
  const parent = one(live().filter(({ isGrant }) => !isGrant));
  if (parent === undefined) return;
  const clientId = one(clients) ?? 'agent';
  await issue({ clientId, userId: parent.userId, session: undefined, parent, isGrant: false });
}

async function compare(): Promise<void> {
  const listed = async (query: string): Promise<string[]> => {
    const answer = await org.org('GET', `/admin/tokens?limit=500&offset=0&${query}`);
    expect(answer.at('total')).toBe(answer.list('items').length);
    return answer.list('items').map((each) => (each as { id: string }).id);
  };
  const ids = (list: readonly Known[]): string[] => list.map(({ id }) => id).toSorted();
  expect(await listed('')).toEqual(ids(live()));
  for (const clientId of clients) {
    expect(await listed(`clientId=${clientId}`)).toEqual(ids(live().filter((token) => token.clientId === clientId)));
  }
  const user = one(users) as NewUser;
  expect(await listed(`userId=${user.id}`)).toEqual(ids(live().filter((token) => token.userId === user.id)));
  for (const token of tokens) expect(isGoodToken(org, token.id)).toBe(isLive(token));
}

test(`lists of tokens are exact at each moment (seed ${seed})`, async () => {
  for (let round = 0; round < 250; round++) {
    await one(steps)?.();
    await compare();
    tokens = tokens.filter((token) => isLive(token) || random(4) > 0);
  }
  service.clock.advance(4 * HOUR);
  await service.sweep();
  expect(service.idsOf(org.organization.store.name, 'tokens')).toEqual([]);
}, 120_000);
