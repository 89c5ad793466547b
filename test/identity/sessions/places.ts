import { writeFileSync } from 'node:fs';

type Value = string | number | bigint | readonly Value[] | { readonly [name: string]: Value };

/**
 * Writes a database of places in the MaxMind format (MaxMind-DB-spec 2.0) in which every IPv4 address whose first bit is
 * set is in one place, and every other in another; without that one nobody knows them.
 */
export function writePlaces(file: string, place: Value, other?: Value): void {
  // one node: each side points to a byte of the data, past 16 bytes of gap, or is unknown (the number of nodes)
  const nodes = 1;
  const tree = Buffer.alloc(6);
  const data = encoded(place);
  tree.writeUIntBE(other === undefined ? nodes : nodes + 16 + data.length, 0, 3);
  tree.writeUIntBE(nodes + 16, 3, 3);
  const metadata: Value = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1n,
    database_type: 'Test-City',
    description: { en: 'of a test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes,
    record_size: 24,
  };
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  writeFileSync(
    file,
    Buffer.concat([
      tree,
      Buffer.alloc(16),
      data,
      other === undefined ? data.subarray(0, 0) : encoded(other),
      marker,
      encoded(metadata),
    ]),
  );
}

const types = { text: 2, double: 3, map: 7, uint32: 6, uint64: 9, array: 11 } as const;

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(types.text, text.length), text]);
  }
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(types.double, 8), bytes]);
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(Number(value));
    return Buffer.concat([control(typeof value === 'number' ? types.uint32 : types.uint64, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encoded)]);
  const members = Object.entries(value as Readonly<Record<string, Value>>);
  const dependencies = members.flatMap(([name, member]) => [encoded(name), encoded(member)]);
  return Buffer.concat([control(types.map, members.length), ...dependencies]);
}

/** Types past 7 have a byte of their own. */
function control(type: number, size: number): Buffer {
  if (size > 28) throw new RangeError('only short values are written here');
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
}
