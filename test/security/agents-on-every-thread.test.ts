import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { browserOf, newPerson, type Person, signIn, tokensFor } from '../protocols/oauth/signing-in.ts';
import { Provider } from '../protocols/oauth/world.ts';
import { RunningService } from '../server/running-service.ts';
import { onEveryThread, threadsLogged } from './on-every-thread.ts';

const THREADS = 2;
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const delegationType = 'urn:relata:params:oauth:token-type:delegation';

let service: RunningService;
let provider: Provider;
let party: RelyingParty;

beforeAll(async () => {
  service = await RunningService.start({ ...threadsLogged(THREADS), RELATA_LIMIT_RATE_REFUSED: '0' });
  provider = new Provider(await service.organization('agents-threads'));
  await provider.admin('POST', '/admin/permissions', { slug: 'docs:read', name: 'Read' });
  party = await RelyingParty.register(provider, { skipConsent: true, scopes: ['openid', 'docs:read'] });
});
afterAll(() => service.remove());

/** An agent that acts for a person, and how that ends. */
interface Acting {
  readonly person: Person;
  readonly agentId: string;
  readonly delegationId: string;
  readonly token: string;
}

interface Elevated extends Omit<Acting, 'delegationId'> {
  readonly taskId: string;
}

async function acting(): Promise<Acting> {
  const person = await newPerson(provider);
  const { access_token: own } = await tokensFor(party, browserOf(provider), person, { scope: 'openid docs:read' });
  const made = await provider.admin('POST', '/admin/agents', { name: 'Agent' });
  const [agentId, key] = [made.text('data.id'), made.text('data.apiKey')];
  const delegated = await provider.withToken('POST', '/delegations', own, { agentId, scopes: ['docs:read'] });
  expect(delegated.status).toBe(201);
  const delegationId = delegated.text('data.id');
  const answer = await provider.form('/oauth/token', {
    grant_type: exchange,
    client_id: agentId,
    client_secret: key,
    subject_token: delegationId,
    subject_token_type: delegationType,
  });
  return { person, agentId, delegationId, token: answer.text('access_token') };
}

/** An agent with a token of an elevation that a person approved on the page. */
async function elevated(duration = 300): Promise<Elevated> {
  const person = await newPerson(provider);
  const tuples = ['jit.approve', 'docs:read'].map((slug) => `permission:${slug}#granted@user:${person.id}`);
  expect((await provider.admin('POST', '/zanzibar/tuples', { writes: tuples })).status).toBe(200);
  const made = await provider.admin('POST', '/admin/agents', { name: 'Agent' });
  const [agentId, key] = [made.text('data.id'), made.text('data.apiKey')];
  const asked = { task_description: 'Read the plans', required_scopes: ['docs:read'], duration };
  const taskId = (await provider.withToken('POST', '/jit/task', key, asked)).text('task_id');
  const browser = browserOf(provider);
  const page = await signIn(
    browser,
    await browser.open(`/orgs/${provider.organization.slug}/approvals/${taskId}`),
    person,
  );
  expect((await browser.submit(page, {}, { button: 'approve' })).heading).toBe('This request is approved');
  const answer = await provider.form('/oauth/token', {
    grant_type: exchange,
    client_id: agentId,
    client_secret: key,
    jit_task_id: taskId,
  });
  return { person, agentId, taskId, token: answer.text('access_token') };
}

const seen = (token: string): Promise<number[]> =>
  onEveryThread(service, THREADS, `/orgs/${provider.organization.slug}/api/v1/authz/permissions`, {
    authorization: `Bearer ${token}`,
  });

const admin = (method: string, path: string, body?: unknown) => provider.admin(method, path, body);

describe('what an agent does for somebody fails at the very next request, on every thread', () => {
  const ends: readonly [string, (who: Acting) => Promise<{ readonly status: number }>][] = [
    ['where the delegation is withdrawn', ({ delegationId }) => admin('DELETE', `/admin/delegations/${delegationId}`)],
    ['where the agent is switched off', ({ agentId }) => admin('PUT', `/admin/agents/${agentId}`, { isActive: false })],
    ['where the agent is deleted', ({ agentId }) => admin('DELETE', `/admin/agents/${agentId}`)],
    ['where the person is blocked', ({ person }) => admin('POST', `/admin/users/${person.id}/block`)],
    ['where the person is deleted', ({ person }) => admin('DELETE', `/admin/users/${person.id}`)],
  ];

  test.each(ends)('%s', async (_, end) => {
    const who = await acting();
    expect(await seen(who.token)).toEqual([200]);
    expect((await end(who)).status).toBeLessThan(300);
    expect(await seen(who.token)).toEqual([401]);
  });
});

describe('what was lent to an agent fails at the very next request, on every thread', () => {
  const ends: readonly [string, (who: Elevated) => Promise<{ readonly status: number }>][] = [
    ['where an administrator revokes it', ({ taskId }) => admin('POST', `/admin/elevations/${taskId}/revoke`)],
    [
      'where the lender loses the permission',
      ({ person }) =>
        admin('POST', '/zanzibar/tuples', { deletes: [`permission:docs:read#granted@user:${person.id}`] }),
    ],
    ['where the agent is switched off', ({ agentId }) => admin('PUT', `/admin/agents/${agentId}`, { isActive: false })],
    ['where the lender is blocked', ({ person }) => admin('POST', `/admin/users/${person.id}/block`)],
  ];

  test.each(ends)('%s', async (_, end) => {
    const who = await elevated();
    expect(await seen(who.token)).toEqual([200]);
    expect((await end(who)).status).toBeLessThan(300);
    expect(await seen(who.token)).toEqual([401]);
  });

  test('where its time is over', { timeout: 180_000 }, async () => {
    const { token, taskId } = await seenWhileLent();
    const { grant } = (await admin('GET', `/admin/elevations/${taskId}`)).at('data') as { grant: { until: string } };
    await sleep(Math.max(0, Date.parse(grant.until) - Date.now()) + 1);
    expect(await seen(token)).toEqual([401]);
  });
});

/** One that counted on every thread. On a busy machine the time can be over before: then it is lent for longer. */
async function seenWhileLent(seconds = 5): Promise<Elevated> {
  try {
    const who = await elevated(seconds);
    expect(await seen(who.token)).toEqual([200]);
    return who;
  } catch (error) {
    if (seconds > 40) throw error;
    return seenWhileLent(seconds * 2);
  }
}
