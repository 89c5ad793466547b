import { z } from 'zod';
import { fieldErrors, issueText, problemFromError } from '../../../http/index.ts';

/** What is wrong with one item of a bulk request. */
export const itemErrorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
});

/** That nobody has defined the permission. */
export const unknownField = { unknown: z.literal(true).optional().describe('The permission is not defined') };

export const itemResultSchema = z.strictObject({
  allowed: z.boolean(),
  missing: z.array(z.string()).optional(),
  error: itemErrorSchema.optional(),
});
export const permissionResultSchema = itemResultSchema.extend(unknownField);
export type ItemResult = z.output<typeof permissionResultSchema>;

/** A failure of one item as its result; what is not the caller's fault is thrown on. */
export function itemFailure(error: unknown): ItemResult {
  const known = problemFromError(error);
  if (known === undefined || known.kind.status >= 500) throw error;
  const { kind, detail, options } = known;
  const { path, message = detail } = options.errors?.[0] ?? {};
  return { allowed: false, error: { code: kind.code, message, ...(path === undefined ? {} : { path }) } };
}

/** An item as its schema reads it, or the first thing that is wrong with it. */
export function readItem<T>(schema: z.ZodType<T>, item: unknown): { item: T } | { failure: ItemResult } {
  const parsed = schema.safeParse(item, { error: issueText });
  if (parsed.success) return { item: parsed.data };
  const { path = '', message = 'is not valid' } = fieldErrors(parsed.error, 'body', 1, schema)[0] ?? {};
  return { failure: { allowed: false, error: { code: 'invalid_request', message, path } } };
}
