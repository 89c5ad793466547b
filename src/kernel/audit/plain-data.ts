/**
 * The same value as JSON has it, and as it comes back from the store: absent members are gone, and lone surrogates,
 * which no UTF-8 can carry, are replaced. Otherwise the digest of what is read would differ from that of what was put.
 */
export function plainData<T>(value: T): T {
  return plain(value, '') as T;
}

/** As `JSON.parse(JSON.stringify(value))`, which took twice as long. `name` is what `toJSON` is told. */
function plain(value: unknown, name: string): unknown {
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'number':
      return Number.isFinite(value) ? value + 0 : null; // -0 is 0
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : plainObject(value, name);
    case 'bigint':
      throw new TypeError('JSON has no integers of that size');
    default:
      return undefined;
  }
}

function plainObject(value: object, name: string): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const own: unknown = value.toJSON(name);
    return typeof own === 'object' && own !== null ? copy(own) : plain(own, name);
  }
  return copy(value);
}

function copy(value: object): unknown {
  if (Array.isArray(value)) return value.map((each, index) => plain(each, String(index)) ?? null);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = plain((value as Readonly<Record<string, unknown>>)[key], key);
    if (member === undefined) continue;
    const name = wellFormed(key);
    // an assignment to this name would set the prototype
    if (name === '__proto__') {
      Object.defineProperty(result, name, { value: member, enumerable: true, configurable: true, writable: true });
    } else result[name] = member;
  }
  return result;
}

/** Lone surrogates are replaced. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
