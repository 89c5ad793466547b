export { ProofChecker, type ProofResult, type ProvedRequest } from './proof-checker.ts';
export { proofAlgorithms } from './proof-key.ts';
