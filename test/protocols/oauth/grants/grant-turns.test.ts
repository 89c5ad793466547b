import { expect, it } from 'vitest';
import type { Grant, TokenRequest } from '../../../../src/protocols/oauth/grants/grant.ts';
import { GrantTurns } from '../../../../src/protocols/oauth/grants/grant-turns.ts';
import type { ProtocolDependencies } from '../../../../src/protocols/oauth/protocol/dependencies.ts';

const OF_ONE = 160;
const OF_ALL = 200;
const dependencies = {} as ProtocolDependencies;
const token = { access_token: 'a', token_type: 'Bearer', expires_in: 1, scope: '' } as const;

/** A grant whose requests end when the test says so. */
class Held {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly grant: Grant;

  constructor(facts: Pick<Grant, 'asksOthers'> = {}) {
    this.grant = {
      type: 'client_credentials',
      ...facts,
      issue: async (_, { organization }) => {
        this.begun.push(organization.store.name);
        await new Promise<void>((resolve) => this.#ends.push(resolve));
        return token;
      },
    };
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

const requestOf = (name: string) => ({ organization: { store: { name } } }) as TokenRequest;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('has a bounded number of one organization under way, and begins those of others meanwhile', async () => {
  const [turns, held] = [new GrantTurns(), new Held()];
  const issue = (name: string) => turns.issue(held.grant, dependencies, requestOf(name));
  const all = Array.from({ length: OF_ONE + 50 }, () => issue('a'));
  expect(held.begun).toHaveLength(OF_ONE);
  all.push(issue('b'));
  expect(held.begun.at(-1)).toBe('b');
  for (let each = 0; each < OF_ALL; each++) all.push(issue('c'));
  expect(held.begun).toHaveLength(OF_ALL);
  while (held.begun.length < all.length) {
    held.end();
    await nextTurn();
  }
  held.end();
  expect(await Promise.all(all)).toEqual(all.map(() => token));
});

it('begins what may wait for a server of somebody else at once, and it takes no place', async () => {
  const [turns, held, slow] = [new GrantTurns(), new Held(), new Held({ asksOthers: true })];
  const issue = ({ grant }: Held) => turns.issue(grant, dependencies, requestOf('a'));
  const all = Array.from({ length: OF_ALL }, () => issue(slow));
  for (let each = 0; each < OF_ONE; each++) all.push(issue(held));
  expect(held.begun).toHaveLength(OF_ONE);
  all.push(issue(held), issue(slow));
  expect(held.begun).toHaveLength(OF_ONE);
  expect(slow.begun).toHaveLength(OF_ALL + 1);
  slow.end();
  held.end();
  await nextTurn();
  held.end();
  await Promise.all(all);
});

it('gives the place of one that failed to the next, whether it failed at once or later', async () => {
  const turns = new GrantTurns();
  const failing = (issue: Grant['issue']) =>
    turns.issue({ type: 'refresh_token', issue }, dependencies, requestOf('a')).catch((error: Error) => error.message);
  const failures = Array.from({ length: 2 * OF_ONE }, (_, each) =>
    failing(() => {
      if (each % 2 === 0) throw new Error('at once');
      return Promise.reject(new Error('later'));
    }),
  );
  expect(new Set(await Promise.all(failures))).toEqual(new Set(['at once', 'later']));
  expect(await turns.issue({ type: 'refresh_token', issue: async () => token }, dependencies, requestOf('a'))).toBe(
    token,
  );
});
