import { ofResource } from '../../kernel/modules/index.ts';
import { policy } from './policy.ts';
import { trialEndpoints } from './trial-endpoints.ts';

export { conditionSchema } from './policy-shapes.ts';
export { requireCondition } from './policy-tuples.ts';
export { tryCondition } from './try-policy.ts';

/** `/admin/policies`, and trying them. */
export const policiesModule = { name: 'policies', records: [policy.records], ...ofResource(policy, trialEndpoints) };
