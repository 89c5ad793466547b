import { BoundedMap } from '#engine';
import { addressPrefix } from '../../../platform/index.ts';

/** Under which requests of one client are counted: of IPv6 its network of 64 bits, which is what one customer has. */
export function addressKey(address: string): string {
  const before = known.get(address);
  if (before !== undefined) return before;
  const key = addressPrefix(address, 64);
  if (key !== '') known.set(address, key);
  return key;
}

const KNOWN_MAX = 4096;
const known = new BoundedMap<string, string>(KNOWN_MAX);
