import type { Operation } from './operation.ts';

/** Why an operation that is not a mere reading by its method causes no event. */
export const silentReasons = {
  question: 'It asks, tries or looks for something, and changes nothing.',
  step: 'It is a step on a way at whose end there is an event.',
  configuration: 'It configures the organization; no catalog has an event for that. The audit log has.',
  resource: 'It changes a kind of thing, or in a way, for which no catalog has an event. The audit log has it.',
  platform: 'It is about an organization itself, which is told to nobody in it.',
} as const;

export type SilentReason = keyof typeof silentReasons;

/** Operations that cause no event. `**` at the end stands for a path and all that is below it. */
export const silentOperations: Readonly<Record<SilentReason, readonly Operation[]>> = {
  question: [
    'POST /abac/check',
    'POST /mcp',
    'POST /agents/ask',
    'POST /access/v1/evaluation',
    'POST /access/v1/evaluations',
    'POST /authz/check',
    'POST /authz/check-all',
    'POST /authz/check-any',
    'POST /authz/check-bulk',
    'POST /zanzibar/check',
    'POST /zanzibar/check-bulk',
    'POST /zanzibar/expand',
    'POST /zanzibar/list-objects',
    'POST /zanzibar/list-subjects',
    'POST /admin/policies/test',
    'POST /admin/policies/{policyId}/test',
    'POST /admin/scim/validate',
    'POST /oauth/introspect',
    'POST /ssf/poll/{streamId}',
    'POST /oauth/userinfo',
    'POST /scim/.search',
    'POST /scim/Users/.search',
    'POST /scim/Groups/.search',
    // a user of SCIM's credential is no user of the directory: they are refused
    'POST /scim/Me',
    'PUT /scim/Me',
    'PATCH /scim/Me',
    'DELETE /scim/Me',
  ],
  step: [
    'POST /admin/users/{userId}/password-reset',
    'POST /admin/users/{userId}/verify-email',
    'POST /oauth/device_authorization',
    'POST /oauth/end_session',
    'POST /oauth/social/{provider}/callback',
    'POST /device',
    'POST /signin/forgot',
    'POST /signin/password-strength',
    'POST /signin/signup',
    'POST /signin/second-factor/enrol/send',
    'POST /account/email',
    'POST /account/factors/add/send',
    'POST /account/identities/link',
  ],
  configuration: [
    'POST /admin/api-keys',
    'PUT /admin/ask/settings',
    'PATCH /admin/api-keys/{keyId}',
    'DELETE /admin/api-keys/{keyId}',
    'POST /admin/api-keys/{keyId}/rotate',
    'PUT /admin/audit-logs/retention',
    'PUT /admin/elevations/settings',
    'POST /admin/elevations/rules',
    'PUT /admin/elevations/rules/{ruleId}',
    'DELETE /admin/elevations/rules/{ruleId}',
    'PUT /admin/organization',
    'PATCH /admin/organization',
    'PUT /admin/settings/**',
    'PATCH /admin/settings/**',
    'POST /admin/settings/scim/tokens',
    'POST /admin/settings/scim/tokens/{tokenId}/rotate',
    'DELETE /admin/settings/scim/tokens/{tokenId}',
    'POST /admin/social-providers/**',
    'PUT /admin/social-providers/**',
    'PATCH /admin/social-providers/**',
    'DELETE /admin/social-providers/**',
    'POST /admin/webhooks/**',
    'PUT /admin/webhooks/**',
    'PATCH /admin/webhooks/**',
    'DELETE /admin/webhooks/**',
    'POST /webhooks/**',
    'PUT /webhooks/**',
    'PATCH /webhooks/**',
    'DELETE /webhooks/**',
    'POST /zanzibar/models',
    'POST /admin/signals/**',
    'PUT /admin/signals/**',
    'PATCH /admin/signals/**',
    'DELETE /admin/signals/**',
    'POST /ssf/stream',
    'PUT /ssf/stream',
    'PATCH /ssf/stream',
    'DELETE /ssf/stream',
    'POST /ssf/status',
    'POST /ssf/subjects/**',
    'PUT /admin/clients/{clientId}',
    'PATCH /admin/clients/{clientId}',
    'POST /admin/clients/{clientId}/rotate-secret',
    'PUT /connect/register/{clientId}',
  ],
  resource: [
    'POST /admin/agents',
    'POST /admin/audit-logs/erasure',
    'POST /admin/users/{userId}/permissions',
    'DELETE /admin/users/{userId}/permissions/{permissionId}',
    // what goes with a role is not told one by one: there may be a million who had it
    'DELETE /admin/roles/{roleId}',
    'POST /admin/groups',
    'PUT /admin/groups/{groupId}',
    'DELETE /admin/groups/{groupId}',
    'DELETE /scim/Groups/{id}',
    'POST /admin/permissions',
    'PUT /admin/permissions/{permissionId}',
    'PATCH /admin/permissions/{permissionId}',
    'DELETE /admin/permissions/{permissionId}',
    'POST /admin/policies',
    'PUT /admin/policies/{policyId}',
    'PATCH /admin/policies/{policyId}',
    'DELETE /admin/policies/{policyId}',
    'POST /admin/scopes',
    'DELETE /admin/scopes/{scopeId}',
    'POST /delegations',
    'POST /account/agents/add',
    'POST /account/agents/withdraw',
    'DELETE /delegations/{delegationId}',
    'DELETE /admin/delegations/{delegationId}',
    'POST /account/factors/rename',
    'POST /account/factors/recovery-codes',
  ],
  platform: ['POST /platform/api/v1/orgs', 'DELETE /platform/api/v1/orgs/{slug}'],
};

/** Why an operation causes none; undefined where it is not among them. */
export function silentReasonOf(operation: Operation): SilentReason | undefined {
  const reasons = Object.keys(silentOperations) as SilentReason[];
  return reasons.find((reason) => silentOperations[reason].some((named) => covers(named, operation)));
}

export function covers(named: Operation, operation: Operation): boolean {
  if (!named.endsWith('/**')) return named === operation;
  const start = named.slice(0, -'/**'.length);
  return operation === start || operation.startsWith(`${start}/`);
}
