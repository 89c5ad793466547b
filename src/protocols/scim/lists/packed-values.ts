import type { Filter } from '../filter/filter.ts';

type Value = Readonly<Record<string, unknown>>;

/** The sub-attributes that lists keep of a value. */
const kept: ReadonlySet<string> = new Set(['value', 'type', 'primary']);

/** `{value, type, primary}` as a text, which takes less memory. No value has the separator in it: of control characters only those that end lines may stand in one. */
export function packValue({ value = '', type = '', primary }: Value): string {
  return `${String(value)}\0${String(type)}\0${primary === true ? '1' : ''}`;
}

export function unpackValue(text: string): Value {
  const typeAt = text.indexOf('\0') + 1;
  const primaryAt = text.indexOf('\0', typeAt) + 1;
  const type = text.slice(typeAt, primaryAt - 1);
  const isPrimary = primaryAt < text.length;
  return {
    value: text.slice(0, typeAt - 1),
    ...(type === '' ? {} : { type }),
    ...(isPrimary ? { primary: true } : {}),
  };
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
