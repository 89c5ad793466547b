import type { DSAEncoding } from 'node:crypto';

/** All that the service must know of one algorithm (RFC 7518, 3.1). Both hash with SHA-256. */
interface SigningAlgorithm {
  /** Members of a public JWK, in the order in which they are published. */
  readonly publicMembers: readonly string[];
  readonly modulusLength?: number;
  /** Signatures of ES256 are R and S side by side (3.4). */
  readonly dsaEncoding?: DSAEncoding;
}

export type AlgorithmName = 'ES256' | 'RS256';

export const signingAlgorithms: Readonly<Record<AlgorithmName, SigningAlgorithm>> = {
  ES256: { publicMembers: ['kty', 'crv', 'x', 'y'], dsaEncoding: 'ieee-p1363' },
  RS256: { publicMembers: ['kty', 'n', 'e'], modulusLength: 2048 },
};

export const algorithmNames = Object.keys(signingAlgorithms) as AlgorithmName[];
