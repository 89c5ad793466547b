export { writableBody } from './body.ts';
export { commitPlan, commitPlanAs, type DomainEvent, type Plan } from './commit-plan.ts';
export { Numbers } from './numbers.ts';
export type { AdminParts } from './parts.ts';
export { forbidden, invalid, notFound, refused, taken } from './problems.ts';
export {
  keepAdministrator,
  type Leaving,
  requireHeldPermission,
  requireHeldThrough,
  requireNoLess,
  requirePermission,
} from './requirements.ts';
