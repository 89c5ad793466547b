import { z } from 'zod';
import type { Store } from '#engine';
import { defineRecord } from '../../kernel/records/index.ts';

/** How long a use stays on record. */
const KEPT_MS = 30 * 86_400_000;

const useSchema = z.strictObject({
  at: z.number(),
  method: z.string(),
  /** As the reference has it, without what stood in place of parameters. */
  path: z.string(),
  status: z.int(),
  /** Of a question about one permission: which, about which object, and the answer. */
  permission: z.string().exactOptional(),
  object: z.string().exactOptional(),
  allowed: z.boolean().exactOptional(),
  /** Of a request with several questions: how many. */
  questions: z.int().exactOptional(),
  /** How many uses before this one were not written down, because there were too many at once. */
  omitted: z.int().exactOptional(),
});

/** One request with an elevated token. Its time is in milliseconds. */
export type Use = Readonly<z.output<typeof useSchema>>;

/**
 * What elevated tokens were used for: one record for all that a thread has seen in a few seconds of one elevation, in
 * their order, with a UUID of version 7 as id. So a token that is used a thousand times a second costs one write.
 */
export const useRecords = defineRecord({
  collection: 'elevation_uses',
  holds: 'requests that were made with what was lent to an agent: never their input',
  schema: z.strictObject({ taskId: z.string(), uses: z.array(useSchema).readonly() }),
  indexes: ({ taskId }) => ({ task: taskId }),
  expires: { index: 'expires', at: ({ uses }) => (uses.at(-1)?.at ?? 0) + KEPT_MS },
});

/** Of one elevation: so many are shown. */
export const USES_MAX = 500;

/**
 * What is on record of one elevation, the latest first, each with an id: threads write down what each of them has seen,
 * one after the other. To be called inside `Engine.read`.
 */
export function usesOf(store: Store, taskId: string): { readonly id: string; readonly use: Use }[] {
  const found: { readonly id: string; readonly use: Use }[] = [];
  for (const id of idsOf(store, taskId)) {
    const uses = useRecords.get(store, id)?.document.uses ?? [];
    for (let index = uses.length - 1; index >= 0 && found.length < USES_MAX; index--) {
      const use = uses[index];
      if (use !== undefined) found.push({ id: `${id}.${index}`, use });
    }
    if (found.length >= USES_MAX) break;
  }
  return found.sort((left, right) => right.use.at - left.use.at);
}

/** Records of one elevation that are not shown once so many more uses are there. To be called inside `Engine.read`. */
export function idsBeyond(store: Store, taskId: string, more: number): string[] {
  let count = more;
  return idsOf(store, taskId).filter((id) => {
    const isBeyond = count >= USES_MAX;
    count += useRecords.get(store, id)?.document.uses.length ?? 0;
    return isBeyond;
  });
}

/** The latest first. Each has one use at least. */
function idsOf(store: Store, taskId: string): string[] {
  return useRecords
    .index(store)
    .ids('task', taskId, { limit: 2 * USES_MAX })
    .reverse();
}
