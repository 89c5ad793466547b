import { Duration } from './duration.ts';
import { IpAddress } from './ip-address.ts';
import { Uint } from './uint.ts';

/** A type as a value: what `type(x)` answers and what the name of a type stands for. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The names of types that an expression can write. */
export const TYPE_VALUES: ReadonlyMap<string, TypeValue> = new Map(
  [
    ...['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint'],
    ...['google.protobuf.Duration', 'google.protobuf.Timestamp'],
  ].map((name) => [name, new TypeValue(name)]),
);

const IP_ADDRESS = new TypeValue('IPAddress');

/** The type of a value that is met while a condition is evaluated. */
export function typeOfValue(value: unknown): TypeValue {
  if (value instanceof IpAddress) return IP_ADDRESS;
  const known = TYPE_VALUES.get(typeName(value));
  if (known === undefined) throw new Error('a value of no type');
  return known;
}

/** The name of a value's type, as messages show it. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return objectName(value);
  }
}

function objectName(value: unknown): string {
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Date) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof IpAddress) return 'IPAddress';
  if (value instanceof Uint8Array) return 'bytes';
  return value instanceof TypeValue ? 'type' : 'unknown';
}
