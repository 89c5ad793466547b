export type Cbor = number | string | Uint8Array | CborMap | readonly Cbor[];
interface CborMap extends ReadonlyMap<number | string, Cbor> {}

/** As much of CBOR (RFC 8949) as authenticators need: integers, texts, bytes, lists and maps. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const members = [...(value as CborMap)].flatMap(([key, member]) => [cbor(key), cbor(member)]);
    return Buffer.concat([head(5, value.size), ...members]);
  }
  const items = value as readonly Cbor[]; // nothing else is left
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
