/** `npm test` has what is written at one node and read at another (`cluster/nodes.test.ts`). */
import { expect, it } from 'vitest';
import { findNats } from '../find-nats.ts';
import { runOnNodes } from './run-on-nodes.ts';
import { sharedServiceFiles } from './shared-service-files.ts';

const nats = findNats();

/** Administration, tuples, decisions, lists, tokens and what they end with. `npm run test:long random-nodes` runs all. */
const share = [
  'test/directory/roles/roles.test.ts',
  'test/directory/groups/groups.test.ts',
  'test/directory/keys/api-keys.test.ts',
  'test/directory/users/given.test.ts',
  'test/directory/users/lists.test.ts',
  'test/directory/settings/settings.test.ts',
  'test/access/decisions/decisions.test.ts',
  'test/access/decisions/subject-lists.test.ts',
  'test/access/decisions/models/models.test.ts',
  'test/protocols/oauth/client-credentials.test.ts',
  'test/security/bearer-tokens.test.ts',
  'test/security/taking.test.ts',
];

/** On a machine with other work; alone, it is a minute. */
const timeout = 600_000;

it.skipIf('missing' in nats)(
  'a share of the tests over HTTP passes at random nodes of a cluster',
  { timeout },
  async () => {
    expect(sharedServiceFiles()).toEqual(expect.arrayContaining(share));
    const { passed, failed, output } = await runOnNodes('path' in nats ? nats.path : '', share);
    expect(failed, output).toEqual([]);
    expect(passed).toBeGreaterThan(300);
  },
);
