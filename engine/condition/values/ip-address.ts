/** An address as a number. IPv4-mapped IPv6 addresses (`::ffff:a.b.c.d`) are held as the IPv4 address they carry. */
export class IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;

  constructor(family: 4 | 6, value: bigint) {
    this.family = family;
    this.value = value;
  }

  equals(other: IpAddress): boolean {
    return this.family === other.family && this.value === other.value;
  }
}

/** A block of addresses: those whose first `prefix` bits are those of `base`. */
export interface IpRange {
  readonly base: IpAddress;
  readonly prefix: number;
}

const TEXT_MAX = 64;
const MAPPED = 0xffffn;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/** Reads an IPv4 or IPv6 address (RFC 4291, section 2.2). No zone, no leading zero in an octet. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > TEXT_MAX) return undefined;
  if (!text.includes(':')) {
    const value = readIpv4(text);
    return value === undefined ? undefined : new IpAddress(4, BigInt(value));
  }
  const value = readIpv6(text);
  if (value === undefined) return undefined;
  return value >> 32n === MAPPED ? new IpAddress(4, value & 0xffff_ffffn) : new IpAddress(6, value);
}

/** Reads `address/prefix`. Bits after the prefix may be set, as in `10.1.2.3/8`; they do not count. */
export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return undefined;
  const base = parseIpAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (base === undefined || !PREFIX.test(digits)) return undefined;
  const written = text.slice(0, slash).includes(':') ? 128 : 32;
  const bits = Number(digits);
  if (bits > written) return undefined;
  if (written === 32 || base.family === 6) return { base, prefix: bits };
  // A range inside ::ffff:0:0/96 holds IPv4 addresses; a wider one starts in it and holds IPv6 ones.
  return bits >= 96
    ? { base, prefix: bits - 96 }
    : { base: new IpAddress(6, (MAPPED << 32n) | base.value), prefix: bits };
}

export function rangeContains(range: IpRange, address: IpAddress): boolean {
  if (range.base.family !== address.family) return false;
  const rest = BigInt((address.family === 4 ? 32 : 128) - range.prefix);
  return range.base.value >> rest === address.value >> rest;
}

function readIpv4(text: string): number | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  let value = 0;
  for (const octet of octets) {
    const number = Number(octet);
    if (!OCTET.test(octet) || number > 255) return undefined;
    value = value * 256 + number;
  }
  return value;
}

function readIpv6(text: string): bigint | undefined {
  const gap = text.indexOf('::');
  if (gap < 0) {
    const groups = readGroups(text, true);
    return groups?.length === 8 ? joinGroups(groups) : undefined;
  }
  const head = gap === 0 ? [] : readGroups(text.slice(0, gap), false);
  const tail = gap + 2 === text.length ? [] : readGroups(text.slice(gap + 2), true);
  if (head === undefined || tail === undefined) return undefined;
  const zeros = 8 - head.length - tail.length;
  // The gap stands for at least one group of zeros.
  if (zeros < 1) return undefined;
  return joinGroups([...head, ...Array<number>(zeros).fill(0), ...tail]);
}

/** The last group may be an IPv4 address, which fills two. */
function readGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    if (!mayEndInIpv4 || index !== parts.length - 1) return undefined;
    const embedded = readIpv4(part);
    if (embedded === undefined) return undefined;
    groups.push(Math.floor(embedded / 65_536), embedded % 65_536);
  }
  return groups;
}

function joinGroups(groups: readonly number[]): bigint {
  let value = 0n;
  for (const group of groups) value = (value << 16n) | BigInt(group);
  return value;
}
