import { z } from 'zod';
import { forbidden, notFound } from '../admin/index.ts';
import { factsOf } from '../audit/index.ts';
import { policyRecords } from '../directory/index.ts';
import { heavyReply } from '../heavy/index.ts';
import { type Endpoint, endpointFor, json, noContent, problem, queryBoolean } from '../http/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  listParameters,
  listSchema,
  readList,
  singleAnswer,
  singleSchema,
} from '../lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../orgs/index.ts';
import type { PolicyParts } from './parts.ts';
import { changedPolicyBody, conditionSchema, newPolicyBody, replacedPolicyBody, trialFields } from './policy-bodies.ts';
import { policySorts } from './policy-list.ts';
import { createPolicy, deletePolicy, updatePolicy } from './policy-service.ts';
import { policySchema, policyView } from './policy-view.ts';
import { type TrialAttributes, trialSchema, tryCondition } from './try-policy.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Policies'];

/** `/admin/policies` of one family. */
export function policyCrud(parts: PolicyParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    listEndpoint(parts, base, family),
    endpoint({
      method: 'POST',
      path: `${base}/admin/policies`,
      summary: 'Create an attribute policy',
      description:
        'It grants its permissions to every user or agent for whom the condition holds. Policies only add: none denies. ' +
        'The caller must hold what it grants, and system permissions are refused.',
      tags,
      access: { permission: 'policies.manage' },
      body: newPolicyBody,
      responses: { 201: createdSchema(policySchema) },
      errors: ['conflict', 'refused', 'unavailable'],
      async handler(call) {
        const policy = await createPolicy(parts, call.caller, factsOf(call), call.body);
        return json(201, createdAnswer(policy, family, 'The policy was created.'));
      },
    }),
    getEndpoint(parts, base, family),
    ...changeEndpoints(parts, base, family),
    ...trialEndpoints(parts, base, family),
  ];
}

function listEndpoint(parts: PolicyParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/policies`,
    summary: 'List attribute policies',
    description: 'Searched by name and description.',
    tags,
    access: { permission: 'policies.read' },
    query: z.strictObject({ ...listParameters(bounds, policySorts), enabled: queryBoolean.optional() }),
    responses: { 200: listSchema(policySchema) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      const where = { enabled: query.enabled };
      return heavyReply(parts.heavy, caller, { kind: 'policies', query: read, family, where });
    },
  });
}

function getEndpoint(parts: PolicyParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/policies/{policyId}`,
    summary: 'One attribute policy',
    tags,
    access: { permission: 'policies.read' },
    responses: { 200: singleSchema(policySchema) },
    handler({ caller, params }) {
      return answerIfMay(parts.engine, caller, 'policies.read', () => {
        const { store } = caller.organization;
        const entry = policyRecords.get(store, params.policyId);
        return entry === undefined ? problem('not_found') : json(200, singleAnswer(policyView(store, entry), family));
      });
    },
  });
}

function changeEndpoints(parts: PolicyParts, base: FamilyBase, family: Family): Endpoint[] {
  const path = `${base}/admin/policies/{policyId}` as const;
  const shared = {
    path,
    tags,
    access: { permission: 'policies.manage' },
    responses: { 200: singleSchema(policySchema) },
    errors: ['conflict', 'refused', 'unavailable'],
  } as const;
  return [
    endpoint({
      ...shared,
      method: 'PUT',
      summary: 'Replace an attribute policy',
      body: replacedPolicyBody,
      async handler(call) {
        const policy = await updatePolicy(parts, call.caller, factsOf(call), call.params.policyId, call.body);
        return json(200, singleAnswer(policy, family));
      },
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      summary: 'Change an attribute policy',
      body: changedPolicyBody,
      async handler(call) {
        const policy = await updatePolicy(parts, call.caller, factsOf(call), call.params.policyId, call.body);
        return json(200, singleAnswer(policy, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path,
      summary: 'Delete an attribute policy',
      tags,
      access: { permission: 'policies.manage' },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      async handler(call) {
        await deletePolicy(parts, call.caller, factsOf(call), call.params.policyId);
        return noContent();
      },
    }),
  ];
}

function trialEndpoints(parts: PolicyParts, base: FamilyBase, family: Family): Endpoint[] {
  const shared = {
    tags,
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
        const { condition, ...given } = body;
        return answerIfMay(parts.engine, caller, 'policies.read', () => {
          return json(200, singleAnswer(trial(parts, caller, condition, given), family));
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
        return answerIfMay(parts.engine, caller, 'policies.read', () => {
          const entry = policyRecords.get(caller.organization.store, params.policyId);
          if (entry === undefined) throw notFound();
          return json(200, singleAnswer(trial(parts, caller, entry.document.condition, body), family));
        });
      },
    }),
  ];
}

function trial({ clock }: PolicyParts, caller: Caller, condition: string, given: TrialAttributes) {
  // what a condition says of somebody's attributes is reading them
  if (given.userId !== undefined && !caller.may('users.read')) {
    throw forbidden('Trying a policy on a user needs the permission users.read.');
  }
  return tryCondition(caller.organization.store, condition, given, clock.now());
}
