import { z } from 'zod';
import { slugPattern, slugSchema } from '../../orgs/index.ts';
import { consistencySchema } from '../context/consistency.ts';
import { contextSchema } from '../context/tuple-form.ts';

const text = z.string().min(1).max(1024);
export const subjectSchema = text.describe('`type:id`, `type:id#relation` or `type:*`');
export const resourceSchema = z.strictObject({ type: z.string().min(1).max(254), id: text });
export const contextField = contextSchema.describe(
  "Values for conditions; stored ones win, and `now` is the server's clock",
);

export const checkItem = z.strictObject({
  permission: slugSchema,
  resource: resourceSchema.optional(),
  subject: subjectSchema.describe('The caller where omitted; naming another needs `authz:check`').optional(),
  context: contextField.optional(),
});

export const checkBody = checkItem.extend({
  consistency: consistencySchema.optional(),
  explain: z.boolean().describe('Needs `tuples.read`').optional(),
});
export type CheckBody = z.output<typeof checkBody>;
export type CheckItem = z.output<typeof checkItem>;

export const manyBody = (permissionsMax: number) =>
  checkItem.omit({ permission: true }).extend({
    permissions: z.array(slugSchema).min(1).max(permissionsMax),
    consistency: consistencySchema.optional(),
  });
export type ManyBody = z.output<ReturnType<typeof manyBody>>;

const attributes = z.record(z.string().min(1).max(256), z.unknown());

export const abacBody = z.strictObject({
  permission: slugSchema,
  resource: resourceSchema.extend({ attributes: attributes.optional() }).optional(),
  subject: subjectSchema.optional(),
  subjectAttributes: attributes.optional(),
  environment: attributes.optional(),
  consistency: consistencySchema.optional(),
  explain: z.boolean().optional(),
});
export type AbacBody = z.output<typeof abacBody>;

const TEXT_MAX = 1024;

/** The short form of `checkBody`: a permission, perhaps a subject. All else goes the way of the schema. */
export function fastCheckBody(value: unknown): CheckBody | undefined {
  if (!isPlainObject(value)) return undefined;
  for (const name in value) if (name !== 'permission' && name !== 'subject') return undefined;
  const { permission, subject } = value as { permission?: unknown; subject?: unknown };
  if (typeof permission !== 'string' || !slugPattern.test(permission)) return undefined;
  if (subject === undefined) return 'subject' in value ? undefined : (value as CheckBody);
  return isShortText(subject) ? (value as CheckBody) : undefined;
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX;
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
