import { isIPv4, isIPv6 } from 'node:net';
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
  if (isIPv4(text)) return Uint8Array.from([...mappedPrefix, ...bytesOf(text)]);
  const [plain = ''] = text.split('%', 1);
  if (!isIPv6(plain)) return undefined;
  const [head = '', tail = ''] = plain.split('::');
  const last = bytesOf(tail);
  const bytes = new Uint8Array(16);
  bytes.set(bytesOf(head));
  bytes.set(last, 16 - last.length);
  return bytes;
}

/** Of a piece of an address: groups of IPv6, and what IPv4 writes between dots. */
function bytesOf(piece: string): number[] {
  if (piece === '') return [];
  return piece.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

export function isMappedV4(address: Address): boolean {
  return mappedPrefix.every((byte, index) => address[index] === byte);
}

/** Canonical text: dotted for IPv4 and its mapped form, RFC 5952 for IPv6. */
function formatAddress(address: Address): string {
  if (isMappedV4(address)) return address.subarray(12).join('.');
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((((address[i] ?? 0) << 8) | (address[i + 1] ?? 0)).toString(16));
  // a URL has it in the same form
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

const KNOWN_MAX = 4096;

/** Of an address in any notation, kept for those met last; `''` where it is none: callers treat `''` as unknown. */
function ofText(write: (address: Address) => string): (text: string) => string {
  const known = new BoundedMap<string, string>(KNOWN_MAX);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const address = parseAddress(text);
    if (address === undefined) return '';
    const written = write(address);
    known.set(text, written);
    return written;
  };
}

/** Canonical text of an address. */
export const normaliseAddress = ofText(formatAddress);

/** Under which one client is counted: of IPv6 its network of 64 bits, which is what one customer has. */
export const addressKey = ofText((address) =>
  formatAddress(isMappedV4(address) ? address : address.map((byte, index) => (index < 8 ? byte : 0))),
);
