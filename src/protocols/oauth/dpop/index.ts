export { ProofChecker } from './proof-checker.ts';
export { proofAlgorithms } from './proof-key.ts';
export { spentProofRecords } from './spent-proofs.ts';
