import { z } from 'zod';
import { type Endpoint, json } from '../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, endpoint, type FamilyBase } from '../../kernel/organizations/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import { existing, forbidden } from '../../kernel/transactions/index.ts';
import { policyRecords, userIdNamed } from '../records/index.ts';
import { conditionSchema, trialFields } from './policy-shapes.ts';
import { type TrialAttributes, trialSchema, tryCondition } from './try-policy.ts';

/** Trying a condition, and that of a policy. */
export function trialEndpoints(
  dependencies: ResourceEndpointDependencies,
  base: FamilyBase,
  family: Family,
): Endpoint[] {
  const shared = {
    tags: ['Policies'],
    access: { permission: 'policies.read' },
    responses: { 200: singleSchema(trialSchema) },
  } as const;
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: `${base}/admin/policies/test`,
      summary: 'Try a condition',
      description: 'Evaluates a condition over given attributes. Nothing is stored.',
      body: z.strictObject({ condition: conditionSchema, ...trialFields }),
      errors: ['refused'],
      handler({ caller, body }) {
        const { condition, ...attributes } = body;
        return answerIfMay(dependencies.engine, caller, 'policies.read', () => {
          return json(200, singleAnswer(trial(dependencies, caller, condition, attributes), family));
        });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${base}/admin/policies/{policyId}/test`,
      summary: 'Try the condition of a policy',
      description: 'Over given attributes, whether or not the policy is enabled.',
      body: z.strictObject(trialFields),
      errors: ['refused'],
      handler({ caller, body, params }) {
        return answerIfMay(dependencies.engine, caller, 'policies.read', () => {
          const { document } = existing(policyRecords.get(caller.organization.store, params.policyId));
          return json(200, singleAnswer(trial(dependencies, caller, document.condition, body), family));
        });
      },
    }),
  ];
}

function trial(
  { clock }: ResourceEndpointDependencies,
  caller: Caller,
  condition: string,
  attributes: TrialAttributes,
) {
  // what a condition says of somebody's attributes is reading them
  if (attributes.userId !== undefined && !caller.may('users.read')) {
    throw forbidden('Trying a policy on a user needs the permission users.read.');
  }
  const { userId } = attributes;
  const named = userId === undefined ? attributes : { ...attributes, userId: userIdNamed(caller, userId) };
  return tryCondition(caller.organization.store, condition, named, clock.now());
}
