import { BoundedMap } from '#engine';
/**
 * IP addresses as 16 bytes. An IPv4 address and its IPv6-mapped form (`::ffff:192.0.2.1`, or the same expanded, which is
 * how uWebSockets.js reports every peer) are one address here, so that no range check depends on how it was written.
 */
export type Address = Uint8Array;

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Reads an IPv4 or IPv6 address. A zone (`%eth0`) is dropped. `undefined` where the text is no address. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 64) return undefined;
  if (text.includes(':')) return parseV6(text.split('%', 1)[0] ?? '');
  const four = parseV4(text);
  return four === undefined ? undefined : Uint8Array.from([...mappedPrefix, ...four]);
}

function parseV4(text: string): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    // a leading zero is octal to some readers and decimal to others, so it is no address at all
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    bytes.push(Number(part));
  }
  return bytes;
}

function parseV6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? Uint8Array.from(head) : undefined;
  const tail = parseGroups(halves[1] ?? '', true);
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head, 0);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (last && index === groups.length - 1 && group.includes('.')) {
      const four = parseV4(group);
      if (four === undefined) return undefined;
      bytes.push(...four);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else {
      return undefined;
    }
  }
  return bytes;
}

export function isMappedV4(address: Address): boolean {
  return mappedPrefix.every((byte, index) => address[index] === byte);
}

/** Canonical text: dotted for IPv4 and its mapped form, RFC 5952 for IPv6. */
export function formatAddress(address: Address): string {
  if (isMappedV4(address)) return address.subarray(12).join('.');
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((address[i] ?? 0) << 8) | (address[i + 1] ?? 0));
  const [start, length] = longestZeros(groups);
  const hex = (list: number[]): string => list.map((group) => group.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): [number, number] {
  let best: [number, number] = [0, 0];
  let start = 0;
  for (let i = 0; i <= groups.length; i++) {
    if (groups[i] === 0) continue;
    if (i - start > best[1]) best = [start, i - start];
    start = i + 1;
  }
  return best;
}

/** The first `bits` (a multiple of 16) of an IPv6 address as text; an IPv4 address whole; `''` where it is none. */
export function addressPrefix(text: string, bits: number): string {
  const address = parseAddress(text);
  if (address === undefined || isMappedV4(address)) return address === undefined ? '' : formatAddress(address);
  return formatAddress(address.map((byte, index) => (index * 8 < bits ? byte : 0)));
}

const KNOWN_MAX = 4096;
const known = new BoundedMap<string, string>(KNOWN_MAX);

/** Canonical text of an address in any notation, or `''` where it is none: callers treat `''` as unknown. */
export function normaliseAddress(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const address = parseAddress(text);
  const canonical = address === undefined ? '' : formatAddress(address);
  if (address !== undefined) known.set(text, canonical);
  return canonical;
}
