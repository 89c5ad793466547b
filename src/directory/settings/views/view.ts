import { z } from 'zod';
import { fieldAt, type Group } from '../truth/settings.ts';
import { readField, type Surroundings, shownSchema, type Truth, type ViewField, writtenSchema } from './view-field.ts';

/** A settings object of the specification: what each of its names means. */
export interface View {
  readonly [name: string]: ViewField | View;
}

export type Body = Readonly<Record<string, unknown>>;

/** `replace`: what is left out returns to its initial value. `merge`: it stays, at any depth. */
export type WriteMode = 'replace' | 'merge';

/** What a body changes, by setting; secrets as they were given. */
export interface Draft {
  readonly values: readonly { readonly group: Group; readonly name: string; readonly value: unknown }[];
  /** Those that the body names, and does not just leave out. */
  readonly named: ReadonlySet<string>;
  readonly name: string | undefined;
  /** Where something impossible is asked for, and why it is. */
  readonly refused: { readonly path: string; readonly reason: string } | undefined;
}

export function bodySchema(view: View): z.ZodType<Body> {
  const shape = Object.entries(view).map(([name, entry]) => {
    const schema = isField(entry) ? writtenSchema(entry) : bodySchema(entry);
    return [name, schema.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

export function answerSchema(view: View): z.ZodType<Body> {
  const shape = Object.entries(view).flatMap(([name, entry]) => {
    const schema = isField(entry) ? shownSchema(entry) : answerSchema(entry);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return z.strictObject(Object.fromEntries(shape));
}

export function readView(view: View, truth: Truth, surroundings: Surroundings): Body {
  const shown = Object.entries(view).flatMap(([name, entry]) => {
    if (!isField(entry)) return [[name, readView(entry, truth, surroundings)] as const];
    return entry.kind === 'secret' ? [] : [[name, readField(entry, truth, surroundings)] as const];
  });
  return Object.fromEntries(shown);
}

/** @param body as `bodySchema` let it through */
export function draftOf(view: View, body: Body, mode: WriteMode): Draft {
  const values: Draft['values'][number][] = [];
  const named = new Set<string>();
  let name: string | undefined;
  let refused: Draft['refused'];
  for (const { path, field, value } of leaves(view, body, '')) {
    if (field.kind === 'name') name = (value as string | undefined) ?? name;
    if (field.kind === 'impossible' && value === true) refused = { path, reason: field.reason };
    if (field.kind !== 'setting' && field.kind !== 'secret') continue;
    const { group, name: setting } = field;
    if (value !== undefined) named.add(`${group}.${setting}`);
    const isUnset = field.kind === 'setting' && field.emptyText && value === '';
    if (value !== undefined) values.push({ group, name: setting, value: isUnset ? null : value });
    else if (mode === 'replace' && field.kind === 'setting') {
      values.push({ group, name: setting, value: fieldAt(group, setting).initial });
    }
  }
  return { values, named, name, refused };
}

interface Leaf {
  readonly path: string;
  readonly field: ViewField;
  readonly value: unknown;
}

function* leaves(view: View, body: Body, within: string): Generator<Leaf> {
  for (const [name, entry] of Object.entries(view)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const path = within === '' ? name : `${within}.${name}`;
    if (isField(entry)) yield { path, field: entry, value };
    else yield* leaves(entry, (value as Body | undefined) ?? {}, path);
  }
}

function isField(entry: ViewField | View): entry is ViewField {
  return typeof entry.kind === 'string';
}
