import { parseAddress } from './address.ts';
import { addressList } from './address-list.ts';
import { CodedError } from './coded-error.ts';
import { dnsLookup, isLocalhost, type NameLookup, RESOLVE_MS, systemLookup, within } from './lookup-name.ts';

/** Why something outside was not reached. What answered, or did not, is for the log: it would map a network. */
export type OutboundCode =
  | 'refused_address'
  | 'refused_url'
  | 'unresolved'
  | 'failed'
  | 'timeout'
  | 'too_large'
  | 'busy';

export class OutboundError extends CodedError<OutboundCode> {
  override readonly name = 'OutboundError';
}

/** Where a connection is to go: it is made to this address and to no other that the name may have a moment later. */
export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Addresses that belong to somebody's own network, or to nobody (IANA special-purpose registries, RFC 6890). Of IPv6,
 * what is not global unicast (2000::/3) is refused altogether, and what carries an IPv4 address within.
 */
const refusedV4 = addressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);
const mapped = addressList(['::ffff:0:0/96']);
const globalV6 = addressList(['2000::/3']);
const refusedV6 = addressList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address, in any notation, is one of the public network. */
export function isPublicAddress(text: string): boolean {
  if (parseAddress(text) === undefined) return false;
  if (mapped.has(text)) return !refusedV4.has(text);
  return globalV6.has(text) && !refusedV6.has(text);
}

const ADDRESSES_MAX = 32;

/** What tenants can make the service connect to. Every connection to an address of theirs is made through this. */
export class OutboundGuard {
  readonly allowsPrivate: boolean;
  readonly #lookup: NameLookup;

  /** @param allowsPrivate for tests: also loopback and private networks, http, and names of the hosts file */
  constructor(allowsPrivate: boolean, lookupName: NameLookup = allowsPrivate ? systemLookup : dnsLookup()) {
    this.allowsPrivate = allowsPrivate;
    this.#lookup = lookupName;
  }

  /**
   * The address to connect to. A name with one refused address among several is refused as a whole, and just as a name
   * that has none: which names a private network knows is not for whoever chose the URL.
   * @throws OutboundError `refused_address`, `unresolved` or `timeout`
   */
  async resolve(host: string): Promise<PinnedAddress> {
    const plain = host.replace(/^\[(.*)\]$/, '$1');
    this.requireAddress(plain);
    if (parseAddress(plain) !== undefined) return pinned(plain);
    const found = await resolveName(this.#lookup, plain);
    const [first] = found;
    if (first === undefined) throw unresolved();
    const refused = this.allowsPrivate ? undefined : found.find(({ address }) => !isPublicAddress(address));
    if (refused !== undefined) throw unresolved(new Error(`${plain} has the address ${refused.address}`));
    return first;
  }

  /**
   * Judges a URL's host where that is an address, or a name that is this machine on every machine (RFC 6761, 6.3).
   * Other names are judged by `resolve`.
   * @throws OutboundError `refused_address`
   */
  requireAddress(host: string): void {
    if (this.allowsPrivate) return;
    const plain = host.replace(/^\[(.*)\]$/, '$1');
    const isInside = parseAddress(plain) !== undefined ? !isPublicAddress(plain) : isLocalhost.test(plain);
    if (isInside) throw new OutboundError('refused_address', 'the host is not on the public network');
  }

  /** @throws OutboundError `refused_url` where it is no https URL, or carries a user name */
  requireUrl(text: string): URL {
    if (!URL.canParse(text)) throw new OutboundError('refused_url', 'is not a URL');
    const url = new URL(text);
    const isKnown = url.protocol === 'https:' || (this.allowsPrivate && url.protocol === 'http:');
    if (!isKnown) throw new OutboundError('refused_url', 'must be an https URL');
    if (url.username !== '' || url.password !== '') throw new OutboundError('refused_url', 'must name no user');
    return url;
  }
}

/** Why the service may not call an address, as the rest of a sentence; `undefined` where it may. */
export function urlFault(guard: OutboundGuard, text: string): string | undefined {
  if (text.includes('#')) return 'must have no fragment';
  try {
    guard.requireUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

/** @param cause for the log alone */
function unresolved(cause?: unknown): OutboundError {
  return new OutboundError('unresolved', 'the host has no address on the public network', cause);
}

function pinned(address: string): PinnedAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

async function resolveName(lookupName: NameLookup, name: string): Promise<PinnedAddress[]> {
  const late = () => new OutboundError('timeout', 'the host was not resolved in time');
  try {
    const found = await within(RESOLVE_MS, lookupName(name), late);
    return found.slice(0, ADDRESSES_MAX).map(({ address }) => pinned(address));
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    throw unresolved(cause);
  }
}
