import { z } from 'zod';
import { objectReader, plainMember, plainObject, plainText } from '../../../http/index.ts';
import { contextField, isPlainObject, isShortText, subjectField, subjectSchema } from '../checks/bodies.ts';
import { scanChecks } from '../checks/bulk-body.ts';
import { consistencySchema } from '../context/consistency.ts';
import { objectFields, withObject } from '../context/object-forms.ts';
import { tupleSchema } from '../context/tuple-form.ts';

const text = z.string().min(1).max(1024);
const objectSchema = text.describe('`type:id`');
const contextualTuples = z.array(tupleSchema).max(10_000).describe('Tuples that exist for this question alone');
const supplied = { context: contextField, contextualTuples: contextualTuples.optional() };
const consistency = consistencySchema.optional();

const checkShape = { ...objectFields, relation: text, subject: subjectField, ...supplied };

/** `object` is needed, in one of its forms. */
export const relationCheckItem = z.strictObject(checkShape).transform(withObject);
export type RelationCheckItem = z.output<typeof relationCheckItem>;

export const relationCheckBody = z
  .strictObject({ ...checkShape, consistency, explain: z.boolean().describe('Needs `tuples.read`').optional() })
  .transform(withObject);
export type RelationCheckBody = z.output<typeof relationCheckBody>;

/** The short form of `relationCheckBody`: object, relation and subject. */
export function fastRelationCheck(value: unknown): RelationCheckBody | undefined {
  if (!isPlainObject(value)) return undefined;
  let names = 0;
  for (const _ in value) names++;
  const { object, relation, subject } = value as { object?: unknown; relation?: unknown; subject?: unknown };
  return names === 3 && isShortText(object) && isShortText(relation) && isShortText(subject)
    ? (value as RelationCheckBody)
    : undefined;
}

const plainCheck = plainObject([
  plainMember('object', plainText),
  plainMember('relation', plainText),
  plainMember('subject', plainText),
]);

function readRelationCheck([, object, relation, subject]: RegExpExecArray): RelationCheckBody | undefined {
  return isShortText(object) && isShortText(relation) && isShortText(subject)
    ? { object, relation, subject }
    : undefined;
}

export const scanRelationCheck = objectReader(plainCheck, readRelationCheck);

export const scanRelationChecks = (max: number) => scanChecks(max, plainCheck, readRelationCheck);

export const expandBody = z.strictObject({ object: objectSchema, relation: text, ...supplied, consistency });
export type ExpandBody = z.output<typeof expandBody>;

const page = (pageMax: number) => ({
  limit: z.int().min(1).max(pageMax).optional(),
  cursor: z.string().min(1).max(1024).optional(),
});

export const listObjectsBody = (pageMax: number) =>
  z.strictObject({
    type: text,
    relation: text,
    subject: subjectSchema.optional(),
    ...supplied,
    consistency,
    ...page(pageMax),
  });
export type ListObjectsBody = z.output<ReturnType<typeof listObjectsBody>>;

export const listSubjectsBody = (pageMax: number) =>
  z.strictObject({
    object: objectSchema,
    relation: text,
    subjectType: text,
    subjectRelation: text.optional(),
    excluded: z
      .boolean()
      .describe('Also tell, in `excluded`, who is denied although the wildcard `type:*` is not')
      .optional(),
    explain: z
      .boolean()
      .describe('Also tell, in `explanations`, why each subject is where it is. A page then has at most 100 subjects')
      .optional(),
    ...supplied,
    consistency,
    ...page(pageMax),
  });
export type ListSubjectsBody = z.output<ReturnType<typeof listSubjectsBody>>;

const preconditionSchema = z.strictObject({
  require: z.enum(['tuple_exists', 'tuple_absent']),
  tuple: tupleSchema,
});

export const writeBody = (tuplesMax: number) =>
  z.strictObject({
    writes: z.array(tupleSchema).max(tuplesMax).default([]),
    deletes: z.array(tupleSchema).max(tuplesMax).default([]),
    preconditions: z.array(preconditionSchema).max(100).default([]),
  });
export type WriteBody = z.output<ReturnType<typeof writeBody>>;
