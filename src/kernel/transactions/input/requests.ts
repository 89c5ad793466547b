import { z } from 'zod';
import { notFound } from '../problems.ts';

/** How many things one request can name. */
export const BATCH_MAX = 500;

const number = z.int().min(1).max(999_999_999_999);

/** `permissionId` of a body: a number, or what else names a permission. */
export const permissionReference: z.ZodType<number | string> = z
  .union([number, z.string().min(1).max(256)])
  .describe('Number or slug');

/** Roles and groups in a body, each by id or slug. */
export function referencesSchema(max: number): z.ZodType<string[]> {
  return z.array(idSchema).max(max);
}

/** Permissions in a body, each by id or slug. */
export function permissionReferences(max: number): z.ZodType<(number | string)[]> {
  return z.array(permissionReference).max(max);
}

/** An integer id in a path. What is none names nothing. @throws ProblemError 404 */
export function numberInPath(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw notFound();
  return Number(text);
}

/** An id in a body: 1 to 256 characters, of which the store knows whether they name something. */
export const idSchema: z.ZodType<string> = z.string().min(1).max(256);

/** Exactly one of some optional fields. */
export function exactlyOne<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z
    .strictObject(shape)
    .refine((body) => names.filter((name) => (body as Record<string, unknown>)[name] !== undefined).length === 1, {
      message: `must have exactly one of ${names.join(', ')}`,
    });
}
