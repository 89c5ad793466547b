export type ScalarKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'type'
  | 'duration'
  | 'timestamp'
  | 'ipaddress'
  | 'dyn';

/** A type as the checker sees it. `dyn` fits everything; a `variable` stands for a type that is not known yet. */
export type Type =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly of: readonly [item: Type] }
  | { readonly kind: 'map'; readonly of: readonly [key: Type, value: Type] }
  | { readonly kind: 'variable'; readonly name: string };

const SCALARS = new Map<string, Type>(
  (
    [
      'bool',
      'int',
      'uint',
      'double',
      'string',
      'bytes',
      'null',
      'type',
      'duration',
      'timestamp',
      'ipaddress',
      'dyn',
    ] as const
  ).map((kind) => [kind, { kind }]),
);

export function scalar(kind: ScalarKind): Type {
  return SCALARS.get(kind) as Type; // all of them are in it
}

export const DYN = scalar('dyn');
export const BOOL = scalar('bool');

export function listOf(item: Type): Type {
  return { kind: 'list', of: [item] };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', of: [key, value] };
}

/** Two variables that nothing is known of yet are not the same. */
export function isSame(one: Type, other: Type): boolean {
  if (one.kind === 'variable') return other.kind === 'variable' && one.name === other.name;
  if (one.kind === 'list') return other.kind === 'list' && isSame(one.of[0], other.of[0]);
  if (one.kind === 'map') {
    return other.kind === 'map' && isSame(one.of[0], other.of[0]) && isSame(one.of[1], other.of[1]);
  }
  return one.kind === other.kind;
}

/** `list<int>`, `map<A, dyn>`: a type as the table of declarations writes it. Capital letters are variables. */
export function readType(text: string): Type {
  const known = SCALARS.get(text);
  if (known !== undefined) return known;
  const list = /^list<(.+)>$/.exec(text)?.[1];
  if (list !== undefined) return listOf(readType(list));
  const map = /^map<([^,]+), (.+)>$/.exec(text);
  if (map !== null) return mapOf(readType(map[1] ?? ''), readType(map[2] ?? ''));
  if (/^[A-Z]$/.test(text)) return { kind: 'variable', name: text };
  throw new TypeError(`${text} is no type`);
}

/** As messages show it; what nests deeply is cut. */
export function typeText(type: Type, depth = 4): string {
  if (type.kind === 'list' || type.kind === 'map') {
    const parts = depth === 0 ? ['…'] : type.of.map((part) => typeText(part, depth - 1));
    return `${type.kind}<${parts.join(', ')}>`;
  }
  return type.kind === 'variable' ? 'dyn' : type.kind;
}
