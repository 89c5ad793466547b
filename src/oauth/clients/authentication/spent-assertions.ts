import { type Engine, EngineError } from '#engine';
import { digestOf, timeKey } from '../../../platform/index.ts';
import type { ProvedAssertion } from './assertion.ts';

/** Collection of an organization's store: assertions that were used, until they would be refused by their age. */
export const spentCollection = 'spent_assertions';

/** Uses an assertion up, on disk and across threads. False where it was used before. */
export async function spendAssertion(
  engine: Engine,
  store: string,
  clientId: string,
  { jti, until }: ProvedAssertion,
): Promise<boolean> {
  const id = digestOf(`${clientId}\n${jti}`);
  const place = { store, collection: spentCollection };
  const record = { collection: spentCollection, id, document: {}, indexes: { until: timeKey(until) } };
  try {
    await engine.submit(
      engine.command([{ op: 'put_record', store, record }], {
        preconditions: [{ require: 'record_absent', ...place, id }],
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'precondition_failed') return false;
    throw error;
  }
}
