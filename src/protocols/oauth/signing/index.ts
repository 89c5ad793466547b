export { algorithmNames } from './algorithms.ts';
export { signingKeyRecords, signingKeys } from './key-record.ts';
export { signJwt } from './sign-jwt.ts';
export { SigningKeys } from './signing-keys.ts';
export { type KeySweepDependencies, rotateSigningKeys } from './sweep.ts';
export { verifyOwnJwt } from './verify-jwt.ts';
