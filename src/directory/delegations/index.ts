export { type NewDelegation, newDelegationBody } from './delegation-bodies.ts';
export {
  createDelegation,
  DELEGATIONS_MAX,
  type DelegatingUser,
  delegationsOf,
  withdrawDelegation,
} from './delegation-service.ts';
export { delegationsModule } from './module.ts';
