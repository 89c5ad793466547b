import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineError, parseTuple } from '../../engine/index.ts';
import { transact } from '../../src/kernel/transactions/index.ts';
import { facts, type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('committing');
});
afterAll(() => service.stop());

function anybody() {
  const { organization } = org;
  return { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
}

/** How often a plan is made whose first commit fails so, and what becomes of it. */
async function plansAfter(code: EngineError['code']): Promise<{ readonly plans: number; readonly error: unknown }> {
  const tuples = [parseTuple('group:g#member@user:u')];
  let plans = 0;
  service.beforeNextCommit(() => Promise.reject(new EngineError(code, 'the first commit fails')));
  const committed = transact(service.keyDependencies(), anybody(), facts, (transaction) => {
    plans++;
    transaction.write(tuples);
  });
  const error = await committed.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { plans, error };
}

test.each(['precondition_failed', 'conflict'] as const)(
  'a plan that another commit outran is made anew: %s',
  async (code) => {
    expect(await plansAfter(code)).toEqual({ plans: 2, error: undefined });
  },
);

test.each(['unavailable', 'invalid_argument'] as const)('a commit that fails is not tried again: %s', async (code) => {
  expect(await plansAfter(code)).toMatchObject({ plans: 1, error: { code } });
});

test('a plan that changes nothing asks the writer for nothing', async () => {
  let commits = 0;
  service.beforeNextCommit(async () => {
    commits++;
  });
  const result = await transact(service.keyDependencies(), anybody(), facts, () => 'as it was');
  expect([result, commits]).toEqual(['as it was', 0]);
});
