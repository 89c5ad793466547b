export { newDelegationBody } from './delegation-bodies.ts';
export {
  createDelegation,
  DELEGATIONS_MAX,
  delegationsOf,
  withdrawDelegation,
} from './delegation-service.ts';
export { delegationsModule } from './module.ts';
