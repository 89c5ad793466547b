import { z } from 'zod';
import { EngineError, parseObject, parseSubject, parseTuple, type Tuple } from '#engine';
import { isoTime } from '../../../platform/index.ts';

const text = z.string().min(1).max(1024);
export const contextSchema = z.record(z.string().min(1).max(256), z.unknown());

const tupleObject = z.strictObject({
  object: text,
  relation: text,
  subject: text,
  condition: z.strictObject({ name: text, context: contextSchema.optional() }).optional(),
  expiresAt: z.iso.datetime({ offset: true }).describe('ISO 8601; the tuple counts until then').optional(),
});

/** A tuple as callers write it: an object, or the text `object#relation@subject`. */
export const tupleSchema = z.union([z.string().min(1).max(3072), tupleObject]);

export type TupleForm = z.output<typeof tupleSchema>;

/** What answers carry. */
export const tupleAnswer = tupleObject;

/** @throws EngineError `invalid_tuple` with `details.path` below `path` */
export function readTuple(form: TupleForm, path: string): Tuple {
  const tuple = typeof form === 'string' ? at(path, () => parseTuple(form)) : plainTuple(form);
  at(`${path}.object`, () => parseObject(tuple.object));
  at(`${path}.subject`, () => parseSubject(tuple.subject));
  return tuple;
}

/** Names the position of what is wrong with a text. */
function at<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError ? new EngineError(error.code, error.message, { ...error.details, path }) : error;
  }
}

function plainTuple(form: Exclude<TupleForm, string>): Tuple {
  const { object, relation, subject, condition, expiresAt } = form;
  return {
    object,
    relation,
    subject,
    ...(condition === undefined ? {} : { condition: readCondition(condition) }),
    ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
  };
}

function readCondition({ name, context }: { name: string; context?: Record<string, unknown> | undefined }) {
  return context === undefined ? { name } : { name, context };
}

/** A stored tuple as answers show it. */
export function tupleForm({ object, relation, subject, condition, expiresAt }: Tuple): z.input<typeof tupleObject> {
  return {
    object,
    relation,
    subject,
    ...(condition === undefined ? {} : { condition: { ...condition } }),
    ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
  } as z.input<typeof tupleObject>;
}
