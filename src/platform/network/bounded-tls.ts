import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * For connections to hosts that tenants choose: key exchanges of a bounded cost alone. With DHE of TLS 1.2 the host brings
 * its own group, and one of 10,000 bits holds the thread that connects for more than a second.
 */
export const boundedTls = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
} as const;
