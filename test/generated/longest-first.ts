import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files and folders below `test/` that take longest, often because they wait for other processes. A run that begins one
 * of them last ends with one busy core.
 */
export const long: readonly string[] = [
  'bench/smoke.long.test.ts',
  'cluster/random-nodes/http-tests.long.test.ts',
  'protocols/scim/clients/python-tools.long.test.ts',
  'clients/clients.long.test.ts',
  'cluster/nodes.test.ts',
  'http/transport/mutated/mutated-requests.test.ts',
  'cluster/faults/faults.test.ts',
  'cluster',
  'identity/account/in-chromium.test.ts',
  'security/every-thread.test.ts',
  'security/rfc9700/enumeration.test.ts',
  'server/tasks/tasks.test.ts',
  'cli/backup-key.test.ts',
  'engine/properties',
  'delivery/thread',
  'docs/examples.test.ts',
  'docs/looks.test.ts',
  'identity/approvals/in-chromium.test.ts',
  'browser',
];

/** The place in the row of long ones, or the end of it. */
export function rankOf(path: string): number {
  const index = long.findIndex((each) => path === each || path.startsWith(`${each}/`));
  return index === -1 ? long.length : index;
}

/**
 * Long files first. The others as Vitest has it: those that failed before the others, and those that took longer before
 * the shorter ones; in a fresh clone, where no run has told that, by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => rankOf(relative(`${this.ctx.config.root}/test`, moduleId));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
