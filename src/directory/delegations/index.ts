export type { NewDelegation } from './delegation-bodies.ts';
export { createDelegation, type DelegatingUser, delegationsOf, withdrawDelegation } from './delegation-service.ts';
export { delegationsModule } from './module.ts';
