import { z } from 'zod';
import { notFound } from './problems.ts';

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

/** Well-formed text without control characters. */
const oneLine = /^[^\p{Cc}\p{Cs}]*$/u;
/** The same with line breaks and tabs. */
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** What a resource is called, for people. */
export const nameSchema: z.ZodType<string> = z
  .string()
  .max(200)
  .regex(oneLine, 'must be text without control characters')
  .regex(/\S/, 'must not be blank');

export const descriptionSchema: z.ZodType<string> = z
  .string()
  .max(1000)
  .regex(manyLines, 'must be text without control characters');

/** A word or two: a label, or half of a permission's slug. */
export const labelSchema: z.ZodType<string> = z
  .string()
  .min(1)
  .max(128)
  .regex(oneLine, 'must be text without control characters');

/**
 * The body of a PUT or PATCH: what can be written, and by name what the resource shows but nobody writes. Those are
 * accepted, so that what was read can be sent back, and dropped. Anything else is refused.
 * @param shown what the resource shows; or the names of what of that nobody writes
 */
export function writableBody<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  shown: readonly string[] | z.ZodObject,
) {
  const names = shown instanceof z.ZodObject ? Object.keys(shown.shape) : shown;
  const readOnly = shown instanceof z.ZodObject ? names.filter((name) => !Object.hasOwn(shape, name)) : names;
  const ignored = Object.fromEntries(
    readOnly.map((name) => [name, z.unknown().optional().describe('Read only: accepted and ignored')]),
  );
  return z.strictObject({ ...ignored, ...shape }).transform((body) => {
    const written = Object.entries(body).filter(
      ([name]) => !Object.hasOwn(ignored, name) || Object.hasOwn(shape, name),
    );
    return Object.fromEntries(written) as z.output<z.ZodObject<Shape>>;
  });
}

/**
 * For fields that a record can be without: a field that is not given stays as it was, and `null` removes it. Fields
 * that the record is without are left out.
 */
export function changedOptional<Document extends object, Name extends keyof Document & string>(
  before: Document,
  said: { readonly [Field in Name]?: Document[Field] | null | undefined },
  names: readonly Name[],
): Partial<Pick<Document, Name>> {
  const kept: Partial<Pick<Document, Name>> = {};
  for (const name of names) {
    const value = said[name] === undefined ? before[name] : said[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
