/** All that the service must know of one algorithm (RFC 7518, 3.1). */
export interface SigningAlgorithm {
  readonly name: 'ES256' | 'RS256';
  /** Members of a public JWK, in the order in which they are published. */
  readonly publicMembers: readonly string[];
  readonly modulusLength?: number;
}

export type AlgorithmName = SigningAlgorithm['name'];

export const signingAlgorithms = {
  ES256: { name: 'ES256', publicMembers: ['kty', 'crv', 'x', 'y'] },
  RS256: { name: 'RS256', publicMembers: ['kty', 'n', 'e'], modulusLength: 2048 },
} as const satisfies Record<AlgorithmName, SigningAlgorithm>;

export const algorithmNames = Object.keys(signingAlgorithms) as AlgorithmName[];
