import { type Address, isMappedV4, normaliseAddress, parseAddress } from './address.ts';

export interface AddressRange {
  readonly base: Address;
  /** Leading bits that must agree, of 128; an IPv4 prefix counts the 96 bits of the mapped form too. */
  readonly bits: number;
}

/** In the mapped form of an IPv4 address, its own bits begin behind these. */
const MAPPED_BITS = 96;

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address. */
export function parseRange(text: string): AddressRange | undefined {
  const [addressText = '', bitsText, ...rest] = text.split('/');
  const base = parseAddress(addressText);
  if (base === undefined || rest.length > 0) return undefined;
  const offset = isMappedV4(base) && !addressText.includes(':') ? MAPPED_BITS : 0;
  if (bitsText === undefined) return { base, bits: 128 };
  if (!/^\d{1,3}$/.test(bitsText) || Number(bitsText) + offset > 128) return undefined;
  return { base, bits: Number(bitsText) + offset };
}

/** IPv6 and IPv4 are two worlds: a short prefix of IPv6 reaches around the mapped form, and means no IPv4 address. */
function reachesV4(range: AddressRange): boolean {
  return range.bits >= MAPPED_BITS;
}

function contains(range: AddressRange, address: Address): boolean {
  const whole = range.bits >> 3;
  for (let i = 0; i < whole; i++) if (range.base[i] !== address[i]) return false;
  const rest = range.bits & 7;
  if (rest === 0) return true;
  const mask = (0xff << (8 - rest)) & 0xff;
  return ((range.base[whole] ?? 0) & mask) === ((address[whole] ?? 0) & mask);
}

export interface AddressList {
  /** Whether the address, in any notation, lies in one of the ranges. An unknown or unreadable address never does. */
  has(text: string): boolean;
}

/** @throws RangeError where an entry is no address and no range; validate entries at the border with `parseRange`. */
export function addressList(entries: readonly string[]): AddressList {
  const ranges = entries.map((entry) => {
    const range = parseRange(entry);
    if (range === undefined) throw new RangeError('not an IP address or CIDR range');
    return range;
  });
  return {
    has(text) {
      const address = parseAddress(text);
      if (address === undefined) return false;
      const isV4 = isMappedV4(address);
      return ranges.some((range) => (!isV4 || reachesV4(range)) && contains(range, address));
    },
  };
}

/** Longest chain of proxies that is followed; a longer header is somebody's attempt to make the service work. */
const hopsMax = 32;

/**
 * The address of the client behind trusted proxies: `X-Forwarded-For` is read from the right, and only as long as the
 * hop that wrote the entry is trusted. Anything a client wrote itself stands further left and is never reached.
 * @returns canonical text, or `''` (unknown) where a trusted proxy handed on something that is no address
 */
export function clientAddress(peer: string, forwardedFor: string, trusted: AddressList): string {
  const peerAddress = normaliseAddress(peer);
  if (peerAddress === '' || forwardedFor === '' || !trusted.has(peer)) return peerAddress;
  const hops = forwardedFor.split(',');
  if (hops.length > hopsMax) return '';
  let client = peerAddress;
  for (const hop of hops.reverse()) {
    const address = normaliseAddress(hop.trim());
    if (address === '') return '';
    client = address;
    if (!trusted.has(address)) break;
  }
  return client;
}
