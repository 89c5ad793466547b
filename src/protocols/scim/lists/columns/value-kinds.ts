import { BoundedMap } from '#engine';
import type { Filter } from '../../filter/filter.ts';

type Value = Readonly<Record<string, unknown>>;

/** The sub-attributes that lists keep of a value. */
const kept: ReadonlySet<string> = new Set(['value', 'type', 'primary']);

/** What lists keep of a value beside its `value`, as one text: there are few kinds. */
export function kindText({ type = '', primary }: Value): string {
  return `${primary === true ? '1' : '0'}${String(type)}`;
}

const KINDS_MAX = 1000;
const kinds = new BoundedMap<string, Value>(KINDS_MAX);

/** The same as sub-attributes. */
export function kindOf(text: string): Value {
  const known = kinds.get(text);
  if (known !== undefined) return known;
  const type = text.slice(1);
  const kind = { ...(type === '' ? {} : { type }), ...(text.startsWith('1') ? { primary: true } : {}) };
  kinds.set(text, kind);
  return kind;
}

/** Whether the filter of a value path looks at nothing else. */
export function looksAtKept(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.every(looksAtKept);
    case 'not':
      return looksAtKept(filter.term);
    default:
      return kept.has(filter.path.attribute);
  }
}
