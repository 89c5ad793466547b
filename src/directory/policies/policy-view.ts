import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime } from '../../platform/index.ts';
import { type PolicyEntry, policyActors, slugsOf } from '../records/index.ts';

export const policySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  permissions: z.array(z.string()).describe('Slugs of what it grants'),
  appliesTo: z.array(z.enum(policyActors)),
  condition: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type PolicyView = z.output<typeof policySchema>;

/** To be called inside a snapshot. */
export function policyView(store: Store, { id, document }: PolicyEntry): PolicyView {
  const { name, description, appliesTo, condition, enabled, createdAt, updatedAt } = document;
  return {
    id,
    name,
    description,
    permissions: slugsOf(store, policyApplies(id), 'permission'),
    appliesTo: [...appliesTo],
    condition,
    enabled,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** Those to whom it applies, as a subject. */
export function policyApplies(id: string): string {
  return `policy:${id}#applies`;
}
