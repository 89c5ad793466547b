import { z } from 'zod';
import { parseTuple, type Tuple } from '#engine';

/**
 * A tuple as files have it: `{object, relation, subject}` with an optional condition and expiry; `user` for `subject`
 * and the `key` around it are OpenFGA's; or the text `object#relation@subject`. A time is milliseconds since the epoch
 * or RFC 3339 text.
 */
const fields = z.strictObject({
  object: z.string(),
  relation: z.string(),
  subject: z.string().optional(),
  user: z.string().optional(),
  condition: z
    .strictObject({ name: z.string().min(1), context: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
  expiresAt: z.union([z.int().nonnegative(), z.iso.datetime({ offset: true })]).nullish(),
});

const wrapped = z.object({ key: fields });

/** Answers the tuple, or in words what is wrong with the value. Ids and names are left for the engine to judge. */
export function tupleFromJson(value: unknown): Tuple | string {
  if (typeof value === 'string') return tupleFromText(value);
  const key = wrapped.safeParse(value);
  const parsed = fields.safeParse(key.success ? key.data.key : value);
  if (!parsed.success) return describe(parsed.error);
  const { object, relation, subject, user, condition, expiresAt } = parsed.data;
  if ((subject === undefined) === (user === undefined)) return 'needs either subject or user';
  return {
    object,
    relation,
    subject: (subject ?? user) as string, // one of them is there
    ...(condition
      ? { condition: { name: condition.name, ...(condition.context ? { context: condition.context } : {}) } }
      : {}),
    ...(expiresAt === undefined || expiresAt === null
      ? {}
      : { expiresAt: typeof expiresAt === 'number' ? expiresAt : Date.parse(expiresAt) }),
  };
}

function tupleFromText(text: string): Tuple | string {
  return /^[^#]+#[^@]+@.+$/su.test(text) ? parseTuple(text) : 'is not of the form object#relation@subject';
}

/** The first issue in words: `condition.name: ...`. */
export function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'is not valid';
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
