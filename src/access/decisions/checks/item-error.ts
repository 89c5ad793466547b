import { z } from 'zod';
import { EngineError } from '#engine';
import { issueText, problemFromError } from '../../../http/index.ts';

/** What is wrong with one item of a bulk request. */
export const itemErrorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
});

export const itemResultSchema = z.strictObject({
  allowed: z.boolean(),
  missing: z.array(z.string()).optional(),
  error: itemErrorSchema.optional(),
});
export type ItemResult = z.output<typeof itemResultSchema>;

/** A failure of one item as its result; what is not the caller's fault is thrown on. */
export function itemFailure(error: unknown): ItemResult {
  const known = problemFromError(error);
  if (known === undefined || known.kind.status >= 500) throw error;
  const path = error instanceof EngineError ? error.details.path : undefined;
  const message = known.detail;
  return { allowed: false, error: { code: known.kind.code, message, ...(typeof path === 'string' ? { path } : {}) } };
}

/** An item as its schema reads it, or the first thing that is wrong with it. */
export function readItem<T>(schema: z.ZodType<T>, item: unknown): { item: T } | { failure: ItemResult } {
  const parsed = schema.safeParse(item, { error: issueText });
  if (parsed.success) return { item: parsed.data };
  const issue = parsed.error.issues[0];
  const message = issue?.message ?? 'is not valid';
  return {
    failure: { allowed: false, error: { code: 'invalid_request', message, path: (issue?.path ?? []).join('.') } },
  };
}
