import type { z } from 'zod';
import type { Endpoint } from '../../src/http/index.ts';

/** A text, number, list or record somewhere in what an endpoint reads, and what its schema says of its size. */
export interface InputField {
  /** `body.members[].id`, `query.limit`, `path.orgId`; `*` is any name in a record. */
  readonly path: string;
  readonly kind: 'text' | 'number' | 'list' | 'record';
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** The pattern of the texts that it admits, or the name of their form. */
  readonly form: string | undefined;
  readonly schema: z.ZodType;
  /** All that is sent, with a value in this place. */
  readonly around: (value: unknown) => unknown;
}

type Def = Readonly<Record<string, unknown>> & { readonly type: string; readonly checks?: readonly Check[] };
interface Check {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> & { readonly check: string } };
}
type Around = InputField['around'];
const itself: Around = (value) => value;

/** All fields of an endpoint's body, query and path. */
export function inputFieldsOf({ body, query, params }: Endpoint): InputField[] {
  return Object.entries({ body, query, path: params }).flatMap(([place, schema]) =>
    schema === undefined ? [] : fieldsOf(schema, place, itself),
  );
}

function fieldsOf(schema: z.ZodType, path: string, around: Around): InputField[] {
  const def = schema.def as unknown as Def;
  const inner = (key: string) => fieldsOf(def[key] as z.ZodType, path, around);
  switch (def.type) {
    case 'string':
      return [sized(schema, 'text', path, around)];
    case 'number':
      return [sized(schema, 'number', path, around)];
    case 'array': {
      const within: Around = (value) => around([value]);
      return [sized(schema, 'list', path, around), ...fieldsOf(def.element as z.ZodType, `${path}[]`, within)];
    }
    case 'record': {
      const within: Around = (value) => around({ name: value });
      return [sized(schema, 'record', path, around), ...fieldsOf(def.valueType as z.ZodType, `${path}.*`, within)];
    }
    case 'object':
      return objectFields(def, path, around);
    case 'union':
      return (def.options as readonly z.ZodType[]).flatMap((option) => fieldsOf(option, path, around));
    case 'intersection':
      return [...inner('left'), ...inner('right')];
    case 'pipe':
      return [...inner('in'), ...inner('out')];
    case 'lazy':
      return [];
    default:
      return def.innerType === undefined ? [] : inner('innerType');
  }
}

function objectFields(def: Def, path: string, around: Around): InputField[] {
  const shape = Object.entries(def.shape as Readonly<Record<string, z.ZodType>>);
  // they choose the alternative of a union
  const literals = shape.flatMap(([name, { def: field }]) =>
    field.type === 'literal' ? [[name, (field as unknown as { readonly values: readonly unknown[] }).values[0]]] : [],
  );
  return shape.flatMap(([name, field]) =>
    fieldsOf(field, `${path}.${name}`, (value) => around({ ...Object.fromEntries(literals), [name]: value })),
  );
}

const lows = ['min_length', 'greater_than', 'min_size'];
const highs = ['max_length', 'less_than', 'max_size'];

function sized(schema: z.ZodType, kind: InputField['kind'], path: string, around: Around): InputField {
  const def = schema.def as unknown as Def;
  const checks = [...(def.check === undefined ? [] : [def]), ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
  const bound = (names: readonly string[], key: string) => {
    const of = checks.filter(({ check }) => names.includes(String(check)));
    return of.length === 0 ? undefined : Number(of.at(-1)?.[key]);
  };
  return {
    path,
    kind,
    min: bound(lows, kind === 'number' ? 'value' : 'minimum'),
    max: bound(highs, kind === 'number' ? 'value' : 'maximum'),
    form: formOf(checks),
    schema,
    around,
  };
}

function formOf(checks: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const forms = checks.filter(({ check }) => check === 'string_format');
  if (forms.length === 0) return undefined;
  return forms.map(({ format, pattern }) => (format === 'regex' ? String(pattern) : String(format))).join(' ');
}
