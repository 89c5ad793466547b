import { addressPrefix } from '../../platform/index.ts';

/** Under which requests of one client are counted: of IPv6 its network of 64 bits, which is what one customer has. */
export function addressKey(address: string): string {
  return addressPrefix(address, 64);
}
