export { ProofChecker } from './proof-checker.ts';
export { proofAlgorithms } from './proof-key.ts';
