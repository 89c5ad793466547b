import { z } from 'zod';
import { decodeFormText } from './parse-query.ts';

const bounds = z.registry<{ readonly lengthMax: number }>();

/** A parameter of a form. One without a value counts as omitted (RFC 6749, 3.2); one that is repeated is refused. */
export function formText(lengthMax: number) {
  const schema = z
    .string('must be given once')
    .max(lengthMax, `is longer than ${lengthMax} characters`)
    .optional()
    .transform((value) => (value === '' ? undefined : value));
  bounds.add(schema, { lengthMax });
  return schema;
}

type FormValues = Record<string, string | undefined>;

/** @param text of one character a byte. `undefined` where the schema has to decide. */
export type FormReader = (text: string, countMax: number) => Readonly<FormValues> | undefined;

interface Field {
  readonly name: string;
  readonly lengthMax: number;
}

/**
 * Makes a reader of the usual forms of a schema: parameters made by `formText`, in ASCII, each with a value and once.
 * It answers what parsing and the schema would, in a fraction of the time; parameters left out are there as
 * `undefined`, so that every form of an endpoint has one shape. `undefined` where the schema is of another kind.
 */
export function formReader(schema: z.ZodType | undefined): FormReader | undefined {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined || isChecked(schema)) return undefined;
  const fields = new Map<string, Field>();
  const blank: FormValues = {};
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    const bound = isChecked(field) ? undefined : bounds.get(field);
    if (bound !== undefined) fields.set(name, { name, lengthMax: bound.lengthMax });
    else if (!mayBeAbsent(field)) return undefined;
    blank[name] = undefined;
  }
  return (text, countMax) => (beyondAscii.test(text) ? undefined : readPairs(text, fields, { ...blank }, countMax));
}

const beyondAscii = /[\x80-\xff]/;

function readPairs(
  text: string,
  fields: ReadonlyMap<string, Field>,
  form: FormValues,
  countMax: number,
): FormValues | undefined {
  let start = 0;
  for (let count = 0; count < countMax; count++) {
    const equals = text.indexOf('=', start);
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    if (equals < 0 || equals > end) return undefined;
    const field = fields.get(text.slice(start, equals));
    if (field === undefined || form[field.name] !== undefined) return undefined;
    const value = decodeFormText(text.slice(equals + 1, end));
    if (value === undefined || value === '' || value.length > field.lengthMax) return undefined;
    form[field.name] = value;
    if (ampersand < 0) return form;
    start = end + 1;
  }
  return undefined;
}

function isChecked(schema: z.ZodType): boolean {
  return (schema.def.checks ?? []).length > 0;
}

function mayBeAbsent(schema: z.ZodType): boolean {
  const result = schema.safeParse(undefined);
  return result.success && result.data === undefined;
}
