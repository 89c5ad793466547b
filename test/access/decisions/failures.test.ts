import { beforeAll, describe, expect, test } from 'vitest';
import { RevisionTokens } from '../../../src/access/decisions/index.ts';
import type { Answer, Organization } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

/** More steps than an evaluation takes. */
const CHAIN = 40;

let org: Organization;
/** Of the last write. */
let revision: string;

beforeAll(async () => {
  org = await (await sharedService()).organization('decision-failures');
  await org.model(
    'type permission',
    '  relations',
    '    define parent: [permission]',
    '    define granted: [user, user with ratio] or granted from parent',
    'type doc',
    '  relations',
    '    define parent: [doc]',
    '    define viewer: [user, user with ratio] or viewer from parent',
    'condition ratio(x: int) {',
    '  10 / x > 1',
    '}',
  );
  const chain = (object: string, name: (place: number) => string) =>
    Array.from({ length: CHAIN }, (_, place) => `${object}:${name(place)}#parent@${object}:${name(place + 1)}`);
  const odd = (object: string, relation: string) => ({
    object,
    relation,
    subject: 'user:anne',
    condition: { name: 'ratio', context: {} },
  });
  revision = await org.write(
    ...chain('doc', String),
    ...chain('permission', (place) => `deep${place}`),
    odd('doc:odd', 'viewer'),
    odd('permission:odd', 'granted'),
  );
});

type Given = Readonly<Record<string, unknown>>;

/** How each endpoint is asked about Anne, of what a condition guards or of the end of the chain. */
const ways: Readonly<Record<string, (given: Given, isDeep: boolean) => object>> = {
  '/authz/check': (given, isDeep) => ({ permission: slugOf(isDeep), subject: 'user:anne', ...given }),
  '/authz/check-any': (given, isDeep) => ({ permissions: [slugOf(isDeep)], subject: 'user:anne', ...given }),
  '/authz/check-all': (given, isDeep) => ({ permissions: [slugOf(isDeep)], subject: 'user:anne', ...given }),
  '/authz/check-bulk': (given, isDeep) => inBulk({ permission: slugOf(isDeep), subject: 'user:anne' }, given),
  '/abac/check': ({ context, ...given }, isDeep) => ({
    permission: slugOf(isDeep),
    subject: 'user:anne',
    ...given,
    ...(context === undefined ? {} : { environment: context }),
  }),
  '/zanzibar/check': (given, isDeep) => ({ ...relationOf(isDeep), ...given }),
  '/zanzibar/check-bulk': (given, isDeep) => inBulk(relationOf(isDeep), given),
  '/zanzibar/list-objects': (given) => ({ type: 'doc', relation: 'viewer', subject: 'user:anne', ...given }),
  '/zanzibar/list-subjects': (given, isDeep) => ({
    object: relationOf(isDeep).object,
    relation: 'viewer',
    subjectType: 'user',
    ...given,
  }),
};

const slugOf = (isDeep: boolean) => (isDeep ? 'deep0' : 'odd');
const relationOf = (isDeep: boolean) => ({
  object: isDeep ? 'doc:0' : 'doc:odd',
  relation: 'viewer',
  subject: 'user:anne',
});
const inBulk = (item: object, { consistency, ...given }: Given) => ({
  checks: [{ ...item, ...given }],
  ...(consistency === undefined ? {} : { consistency }),
});

const all = Object.keys(ways);
const withContext = all.filter((path) => path !== '/abac/check');
const withTuples = all.filter((path) => path.startsWith('/zanzibar/'));
const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };

interface Failure {
  readonly name: string;
  readonly code: string;
  readonly paths: readonly string[];
  readonly given?: () => Given;
  readonly isDeep?: boolean;
}

const failures: readonly Failure[] = [
  {
    name: 'a condition that divides by zero',
    code: 'condition_failed',
    paths: withContext,
    given: () => ({ context: { x: 0 } }),
  },
  {
    name: 'a value of another type',
    code: 'invalid_context',
    paths: withContext,
    given: () => ({ context: { x: 'text' } }),
  },
  {
    name: 'a context that is too large',
    code: 'too_large',
    paths: all,
    given: () => ({ context: { y: 'x'.repeat(65_536) } }),
  },
  {
    name: 'a chain that is too long',
    code: 'too_deep',
    paths: all.filter((path) => path !== '/zanzibar/list-objects'),
    isDeep: true,
  },
  {
    name: 'a token of nobody',
    code: 'invalid_token',
    paths: all,
    given: () => ({ consistency: { atLeast: 'AQAAAAAAAAAAAAAA' } }),
  },
  {
    name: 'a revision to come',
    code: 'revision_ahead',
    paths: all,
    given: () => ({ consistency: { atLeast: ahead() } }),
  },
  ...[
    { what: 'relation', given: { ...tuple, relation: 'none' } },
    { what: 'type', given: { ...tuple, object: 'none:1' } },
    { what: 'kind of subject', given: { ...tuple, subject: 'doc:2' } },
    { what: 'condition', given: { ...tuple, condition: { name: 'none' } } },
  ].map(({ what, given }) => ({
    name: `a contextual tuple of a ${what} that the model has not`,
    code: 'invalid_contextual_tuple',
    paths: withTuples,
    given: () => ({ contextualTuples: [given] }),
  })),
];

/** A token of the same log, as a service that has got further would give it out. */
function ahead(): string {
  const id = Buffer.from(revision, 'base64url').subarray(1, 9);
  return new RevisionTokens({ id, since: 0 }).of(1_000_000_000);
}

/** Of the answer as a whole, or of the one item of a bulk. */
function failureOf(answer: Answer): unknown {
  return answer.at('code') ?? answer.at('results.0.error.code');
}

function isAllowed(answer: Answer): boolean {
  return answer.at('allowed') === true || answer.at('results.0.allowed') === true;
}

describe('what cannot be decided is not decided', () => {
  const rows = failures.flatMap(({ paths, ...failure }) => paths.map((path) => ({ ...failure, path })));

  test.each(rows)('$path: $name', async ({ path, code, given, isDeep = false }) => {
    for (const base of [`/t/${org.slug}/api/v1`, `/orgs/${org.slug}/api/v1`]) {
      const body = ways[path]?.(given?.() ?? {}, isDeep);
      const answer = await org.service.call('POST', base + path, { key: org.key, body });
      expect([failureOf(answer), isAllowed(answer)]).toEqual([code, false]);
    }
  });

  test.each(withContext)('%s: and with a good value it is', async (path) => {
    const answer = await org.post(path, ways[path]?.({ context: { x: 1 } }, false));
    const found = [...answer.list('objects'), ...answer.list('subjects')].length > 0;
    expect([answer.status, isAllowed(answer) || found]).toEqual([200, true]);
  });
});
