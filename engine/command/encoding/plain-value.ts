import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, unencodable } from './byte-writer.ts';

/** Deeper than any model or context; a circle is refused by it too. */
const DEPTH_MAX = 500;

const kinds = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  number: 4,
  text: 5,
  bigint: 6,
  date: 7,
  bytes: 8,
  list: 9,
  object: 10,
} as const;

/** Plain data: what JSON has, and numbers that are not finite, `undefined`, `bigint`, dates and bytes. */
export function writeValue(writer: ByteWriter, value: unknown, depth = 0): void {
  if (depth > DEPTH_MAX) throw unencodable('a value is nested too deeply');
  switch (typeof value) {
    case 'undefined':
      return writer.byte(kinds.undefined);
    case 'boolean':
      return writer.byte(value ? kinds.true : kinds.false);
    case 'number':
      writer.byte(kinds.number);
      return writer.number(value);
    case 'string':
      writer.byte(kinds.text);
      return writer.text(value);
    case 'bigint':
      writer.byte(kinds.bigint);
      return writer.text(value.toString(16));
    case 'object':
      return value === null ? writer.byte(kinds.null) : writeObject(writer, value, depth);
    default:
      throw unencodable(`a ${typeof value} is no data`);
  }
}

function writeObject(writer: ByteWriter, value: object, depth: number): void {
  if (Array.isArray(value)) {
    writer.byte(kinds.list);
    writer.count(value.length);
    for (const item of value) writeValue(writer, item, depth + 1);
  } else if (value instanceof Date) {
    writer.byte(kinds.date);
    writer.number(value.getTime());
  } else if (value instanceof Uint8Array) {
    writer.byte(kinds.bytes);
    writer.bytes(value);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw unencodable('a value is no plain data');
    const names = Object.keys(value);
    writer.byte(kinds.object);
    writer.count(names.length);
    for (const name of names) {
      writer.text(name);
      writeValue(writer, (value as Record<string, unknown>)[name], depth + 1);
    }
  }
}

export function readValue(reader: ByteReader, depth = 0): unknown {
  if (depth > DEPTH_MAX) throw damaged('a value is nested too deeply');
  const kind = reader.byte();
  switch (kind) {
    case kinds.undefined:
      return undefined;
    case kinds.null:
      return null;
    case kinds.false:
      return false;
    case kinds.true:
      return true;
    case kinds.number:
      return reader.number();
    case kinds.text:
      return reader.text();
    case kinds.bigint:
      return bigintOf(reader.text());
    case kinds.date:
      return new Date(reader.number());
    case kinds.bytes:
      return reader.bytes();
    case kinds.list:
      return readList(reader, () => readValue(reader, depth + 1));
    case kinds.object:
      return readObject(reader, () => readValue(reader, depth + 1));
    default:
      throw damaged(`there is no kind ${kind} of value`);
  }
}

/** `[count][item]*`. */
export function readList<Item>(reader: ByteReader, item: () => Item): Item[] {
  const length = reader.length();
  const list: Item[] = [];
  for (let i = 0; i < length; i++) list.push(item());
  return list;
}

/** `[count]([name][item])*`, with own properties only: `__proto__` is a name like others. */
export function readObject<Item>(reader: ByteReader, item: () => Item, length = reader.length()): Record<string, Item> {
  const object: Record<string, Item> = {};
  for (let i = 0; i < length; i++) {
    const name = reader.text();
    const value = item();
    if (name === '__proto__') Object.defineProperty(object, name, { value, ...OWN });
    else object[name] = value;
  }
  return object;
}

const OWN = { writable: true, enumerable: true, configurable: true };

function bigintOf(text: string): bigint {
  const digits = /^(-?)([0-9a-f]+)$/.exec(text);
  if (digits === null) throw damaged('a bigint has no digits');
  const size = BigInt(`0x${digits[2]}`);
  return digits[1] === '-' ? -size : size;
}
