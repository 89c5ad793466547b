/** How a field changed. A secret one only says that it did. */
export type FieldChange =
  | { readonly before?: unknown; readonly after?: unknown }
  | { readonly given: readonly string[]; readonly taken: readonly string[] }
  | { readonly changed: true };

const TEXT_MAX = 1024;
const FIELDS_MAX = 100;
const secretName =
  /secret|password|passphrase|token|digest|hash|salt|private|credential|api_?key|totp|recovery|codes?$/i;

/**
 * The fields in which two records differ, for an entry's metadata. Fields named here, and those whose name says that
 * they hold a secret, are shown as changed and nothing more. Long values are shortened.
 */
export function diff(
  before: object | undefined,
  after: object | undefined,
  secrets: readonly string[] = [],
): Record<string, FieldChange> {
  const was = (before ?? {}) as Record<string, unknown>;
  const is = (after ?? {}) as Record<string, unknown>;
  const changes: [string, FieldChange][] = [];
  for (const name of [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()) {
    if (changes.length === FIELDS_MAX) break;
    if (JSON.stringify(was[name]) === JSON.stringify(is[name])) continue;
    const isSecret = secrets.includes(name) || secretName.test(name);
    changes.push([name, isSecret ? { changed: true } : { ...side('before', was[name]), ...side('after', is[name]) }]);
  }
  return Object.fromEntries(changes);
}

type Sets = Readonly<Record<string, readonly string[]>>;

/**
 * The same of sets of names, whose order means nothing. Of long ones only what is given and taken is shown, so that none
 * of that is cut off.
 */
export function diffOfSets(before: Sets, after: Sets): Record<string, FieldChange> {
  const changes: Record<string, FieldChange> = {};
  for (const name of Object.keys(after)) {
    const [was, is] = [(before[name] ?? []).toSorted(), (after[name] ?? []).toSorted()];
    const [wasText, isText] = [JSON.stringify(was), JSON.stringify(is)];
    if (wasText === isText) continue;
    const isShort = Math.max(wasText.length, isText.length) <= TEXT_MAX;
    changes[name] = isShort ? { before: was, after: is } : { given: without(is, was), taken: without(was, is) };
  }
  return changes;
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((each) => !known.has(each));
}

function side(name: 'before' | 'after', value: unknown): { readonly before?: unknown; readonly after?: unknown } {
  if (value === undefined) return {};
  return { [name]: shown(value) };
}

/** Of a nested value too, a secret is not shown. */
function shown(value: unknown): unknown {
  const text = JSON.stringify(value, (name, each: unknown) => (secretName.test(name) ? '[secret]' : each));
  if (text.length > TEXT_MAX) return `${text.slice(0, TEXT_MAX)}…`;
  return JSON.parse(text);
}
