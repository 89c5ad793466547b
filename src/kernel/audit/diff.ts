/** How a field changed. A secret one only says that it did. */
export type FieldChange = { readonly before?: unknown; readonly after?: unknown } | { readonly changed: true };

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
