import { ofResource } from '../../kernel/modules/index.ts';
import { policy } from './policy.ts';
import { trialEndpoints } from './trial-endpoints.ts';

/** `/admin/policies`, and trying them. */
export const policiesModule = { name: 'policies', records: [policy.records], ...ofResource(policy, trialEndpoints) };
