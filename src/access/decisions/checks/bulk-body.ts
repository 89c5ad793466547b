import { z } from 'zod';
import { listReader } from '../../../http/index.ts';
import { type Consistency, consistencySchema } from '../context/consistency.ts';

/** A bulk request: its items are read one by one, so that one that is not valid fails alone. */
export interface BulkBody {
  readonly checks: readonly unknown[];
  readonly consistency?: Consistency | undefined;
}

/** @param item says in the reference what an item is */
export function bulkBody(max: number, item: string): z.ZodType<BulkBody> {
  return z.strictObject({
    checks: z.array(z.unknown()).min(1).max(max).describe(item),
    consistency: consistencySchema.optional(),
  });
}

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
