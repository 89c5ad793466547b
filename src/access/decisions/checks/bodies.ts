import { z } from 'zod';
import { EngineError, parseObject } from '#engine';
import { objectReader, optionalMember, plainMember, plainObject, plainText } from '../../../http/index.ts';
import { slugPattern } from '../../../kernel/organizations/index.ts';
import { permissionObject } from '../../../kernel/rights/index.ts';
import { consistencySchema } from '../context/consistency.ts';
import { attributedObjectFields, objectFields, withResource } from '../context/object-forms.ts';
import { contextSchema } from '../context/tuple-form.ts';
import { scanChecks } from './bulk-body.ts';

const TEXT_MAX = 1024;
const TYPE_MAX = 254;

const text = z.string().min(1).max(TEXT_MAX);
export const subjectSchema = text.describe('`type:id`, `type:id#relation` or `type:*`');
export const contextField = contextSchema
  .describe("Values for conditions; stored ones win, and `now` is the server's clock")
  .optional();

export const subjectField = subjectSchema
  .describe('The caller if omitted, except for API keys; naming another needs `authz:check`')
  .optional();
const about = { ...objectFields, subject: subjectField, context: contextField };
const strict = z.boolean().describe('Whether a permission that nobody has defined is an error').optional();

/** A slug has whatever the id of an object can have: tuples bring such ones. */
const slugText = z.string().min(1).max(256).refine(isPermission, 'must be the slug of a permission');
export const permissionSchema = z
  .union([z.int().min(1).max(999_999_999_999), slugText])
  .describe('Slug or number of a permission. A text of digits is a number where it is no slug');

const checkShape = { permission: permissionSchema, ...about, strict };
export const checkItem = z.strictObject(checkShape).transform(withResource);

export const checkBody = z
  .strictObject({
    ...checkShape,
    consistency: consistencySchema.optional(),
    explain: z.boolean().describe('Needs `tuples.read`').optional(),
  })
  .transform(withResource);
export type CheckBody = z.output<typeof checkBody>;
export type CheckItem = z.output<typeof checkItem>;

export const manyBody = (permissionsMax: number) =>
  z
    .strictObject({
      ...about,
      permissions: z.array(permissionSchema).min(1).max(permissionsMax),
      strict,
      consistency: consistencySchema.optional(),
    })
    .transform(withResource);
export type ManyBody = z.output<ReturnType<typeof manyBody>>;

export const abacBody = z
  .strictObject({
    permission: permissionSchema,
    ...attributedObjectFields,
    subject: subjectSchema.optional(),
    subjectAttributes: contextSchema.optional(),
    environment: contextSchema.optional(),
    strict,
    consistency: consistencySchema.optional(),
    explain: z.boolean().optional(),
  })
  .transform(withResource);
export type AbacBody = z.output<typeof abacBody>;

/** The short form of `checkBody`: a permission, perhaps a resource, perhaps a subject. */
export function fastCheckBody(value: unknown): CheckBody | undefined {
  if (!isPlainObject(value)) return undefined;
  let names = 0;
  for (const _ in value) names++;
  const { permission, resource, subject } = value as { permission?: unknown; resource?: unknown; subject?: unknown };
  if (typeof permission !== 'string' || !slugPattern.test(permission)) return undefined;
  if (resource !== undefined && !isResource(resource)) return undefined;
  if (subject !== undefined && !isShortText(subject)) return undefined;
  const known = 1 + (resource === undefined ? 0 : 1) + (subject === undefined ? 0 : 1);
  return names === known ? (value as CheckBody) : undefined;
}

function isResource(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  let names = 0;
  for (const _ in value) names++;
  const { type, id } = value as { type?: unknown; id?: unknown };
  return names === 2 && isShortText(type) && type.length <= TYPE_MAX && isShortText(id);
}

const plainCheck = plainObject(
  [plainMember('permission', plainText)],
  [
    optionalMember('resource', plainObject([plainMember('type', plainText), plainMember('id', plainText)])),
    optionalMember('subject', plainText),
  ],
);

function readCheck([, permission, type, id, subject]: RegExpExecArray): CheckBody | undefined {
  if (permission === undefined || !slugPattern.test(permission)) return undefined;
  if (subject !== undefined && !isShortText(subject)) return undefined;
  if (type === undefined || id === undefined) return subject === undefined ? { permission } : { permission, subject };
  if (type.length > TYPE_MAX || !isShortText(id)) return undefined;
  const resource = { type, id };
  return subject === undefined ? { permission, resource } : { permission, resource, subject };
}

export const scanCheckBody = objectReader(plainCheck, readCheck);

export const scanCheckBodies = (max: number) => scanChecks(max, plainCheck, readCheck);

function isPermission(slug: string): boolean {
  try {
    parseObject(permissionObject(slug));
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX;
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
