import { z } from 'zod';
import { fieldAt, type Group } from '../truth/settings.ts';
import { type Place, readPlace, type Surroundings, shownSchema, type Truth, writtenSchema } from './place.ts';

/** A settings object of the specification: what each of its names means. */
export interface View {
  readonly [name: string]: Place | View;
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
    const schema = isPlace(entry) ? writtenSchema(entry) : bodySchema(entry);
    return [name, schema.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

export function answerSchema(view: View): z.ZodType<Body> {
  const shape = Object.entries(view).flatMap(([name, entry]) => {
    const schema = isPlace(entry) ? shownSchema(entry) : answerSchema(entry);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return z.strictObject(Object.fromEntries(shape));
}

export function readView(view: View, truth: Truth, surroundings: Surroundings): Body {
  const shown = Object.entries(view).flatMap(([name, entry]) => {
    if (!isPlace(entry)) return [[name, readView(entry, truth, surroundings)] as const];
    return entry.kind === 'secret' ? [] : [[name, readPlace(entry, truth, surroundings)] as const];
  });
  return Object.fromEntries(shown);
}

/** @param body as `bodySchema` let it through */
export function draftOf(view: View, body: Body, mode: WriteMode): Draft {
  const values: Draft['values'][number][] = [];
  const named = new Set<string>();
  let name: string | undefined;
  let refused: Draft['refused'];
  for (const { path, place, value } of leaves(view, body, '')) {
    if (place.kind === 'name') name = (value as string | undefined) ?? name;
    if (place.kind === 'impossible' && value === true) refused = { path, reason: place.reason };
    if (place.kind !== 'setting' && place.kind !== 'secret') continue;
    const { group, name: field } = place;
    if (value !== undefined) named.add(`${group}.${field}`);
    const isUnset = place.kind === 'setting' && place.emptyText && value === '';
    if (value !== undefined) values.push({ group, name: field, value: isUnset ? null : value });
    else if (mode === 'replace' && place.kind === 'setting') {
      values.push({ group, name: field, value: fieldAt(group, field).initial });
    }
  }
  return { values, named, name, refused };
}

interface Leaf {
  readonly path: string;
  readonly place: Place;
  readonly value: unknown;
}

function* leaves(view: View, body: Body, within: string): Generator<Leaf> {
  for (const [name, entry] of Object.entries(view)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const path = within === '' ? name : `${within}.${name}`;
    if (isPlace(entry)) yield { path, place: entry, value };
    else yield* leaves(entry, (value as Body | undefined) ?? {}, path);
  }
}

function isPlace(entry: Place | View): entry is Place {
  return typeof entry.kind === 'string';
}
