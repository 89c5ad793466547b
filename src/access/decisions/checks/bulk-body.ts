import { z } from 'zod';
import { listReader } from '../../../http/index.ts';
import { consistencySchema } from '../context/consistency.ts';

/**
 * A bulk request: its items are read one by one, so that one that is not valid fails alone.
 * @param item says in the reference what an item is
 */
export const bulkBody = (max: number, item: string) =>
  z.strictObject({
    checks: z.array(z.unknown()).min(1).max(max).describe(item),
    consistency: consistencySchema.optional(),
  });
export type BulkBody = z.output<ReturnType<typeof bulkBody>>;

/** The plainest form of a bulk body, for `scan` of its endpoint. */
export function scanChecks<T>(
  max: number,
  item: string,
  read: (groups: RegExpExecArray) => T | undefined,
): (text: string) => BulkBody | undefined {
  const list = listReader('checks', max, item, read);
  return (text) => {
    const checks = list(text);
    return checks === undefined ? undefined : { checks };
  };
}
