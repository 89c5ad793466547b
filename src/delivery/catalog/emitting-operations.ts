import type { Operation } from './operation.ts';

/** What may come at the end of a sign-in, by whichever page it is reached. */
const signIn = [
  'user.login',
  'user.login_failed',
  'user.mfa_challenged',
  'identity.unlinked',
  'security.impossible_travel',
  'security.high_risk',
] as const;

/** What is told of guesses. */
const guesses = ['security.account_lockout'] as const;

const users = ['user.updated', 'user.deactivated', 'user.password_changed'] as const;
const members = ['group.member_added', 'group.member_removed'] as const;
const roles = ['role.assigned', 'role.unassigned'] as const;
/** What an agent was lent, or waits for, ends with its credentials. */
const closed = ['jit.revoked', 'jit.expired'] as const;

/**
 * The types of events that each operation may cause, by the service's own names. An event is caused in the commit of its
 * operation, and by nothing else but what `emittingBeside` names.
 */
export const emittingOperations = {
  // administration
  'POST /admin/users': ['user.created', 'role.assigned', 'group.member_added'],
  'PUT /admin/users/{userId}': ['user.updated', 'user.deactivated'],
  'PATCH /admin/users/{userId}': ['user.updated', 'user.deactivated'],
  'DELETE /admin/users/{userId}': ['user.deleted'],
  'POST /admin/users/{userId}/block': ['user.blocked'],
  'POST /admin/users/{userId}/unblock': ['user.unblocked'],
  'POST /admin/users/{userId}/mark-verified': ['user.updated'],
  'POST /admin/users/{userId}/mfa/reset': ['user.mfa_disabled'],
  'PUT /admin/users/{userId}/password': ['user.password_changed'],
  'POST /admin/users/{userId}/roles': ['role.assigned'],
  'PUT /admin/users/{userId}/roles': roles,
  'DELETE /admin/users/{userId}/roles/{roleId}': ['role.unassigned'],
  'POST /admin/users/{userId}/groups': ['group.member_added'],
  'PUT /admin/users/{userId}/groups': members,
  'DELETE /admin/users/{userId}/groups/{groupId}': ['group.member_removed'],
  'DELETE /admin/users/{userId}/identities/{identityId}': ['identity.unlinked'],
  'DELETE /admin/users/{userId}/applications/{clientId}': ['consent.revoked', 'token.revoked'],
  'DELETE /admin/users/{userId}/sessions': ['user.logout'],
  'DELETE /admin/users/{userId}/sessions/{sessionId}': ['user.logout'],
  'POST /admin/users/{userId}/sessions/revoke': ['user.logout'],
  'DELETE /admin/users/{userId}/tokens': ['token.revoked'],
  'POST /admin/users/{userId}/tokens/revoke': ['token.revoked'],
  'POST /admin/roles': ['role.created'],
  'PUT /admin/roles/{roleId}': ['role.updated'],
  'POST /admin/roles/{roleId}/permissions': ['role.updated'],
  'DELETE /admin/roles/{roleId}/permissions/{permissionId}': ['role.updated'],
  'POST /admin/roles/{roleId}/users': ['role.assigned'],
  'DELETE /admin/roles/{roleId}/users/{userId}': ['role.unassigned'],
  'POST /admin/groups/{groupId}/members': ['group.member_added'],
  'DELETE /admin/groups/{groupId}/members/{userId}': ['group.member_removed'],
  'POST /admin/groups/{groupId}/roles': ['role.assigned'],
  'DELETE /admin/groups/{groupId}/roles/{roleId}': ['role.unassigned'],
  'DELETE /admin/sessions/{sessionId}': ['user.logout'],
  'POST /admin/sessions/revoke-all': ['user.logout'],
  'DELETE /admin/tokens/{tokenId}': ['token.revoked'],
  'POST /admin/clients': ['client.created'],
  'DELETE /admin/clients/{clientId}': ['client.deleted'],
  'DELETE /admin/clients/{clientId}/tokens': ['token.revoked'],
  'POST /admin/clients/{clientId}/tokens/revoke': ['token.revoked'],
  // what agents ask for: rules may decide at once, and what nobody has decided makes room
  'PUT /admin/agents/{agentId}': closed,
  'DELETE /admin/agents/{agentId}': closed,
  'POST /admin/agents/{agentId}/rotate-key': closed,
  'POST /jit/task': ['jit.requested', 'jit.approved', 'jit.denied', 'jit.expired'],
  'POST /jit/request': ['jit.approved', 'jit.denied'],
  'POST /admin/elevations/{taskId}/revoke': ['jit.revoked'],
  // tuples that say what these operations say
  'POST /zanzibar/tuples': [...roles, ...members, 'role.updated'],
  // provisioning
  'POST /scim/Users': ['user.created'],
  'PUT /scim/Users/{id}': users,
  'PATCH /scim/Users/{id}': users,
  'DELETE /scim/Users/{id}': ['user.deleted'],
  'POST /scim/Groups': ['group.member_added'],
  'PUT /scim/Groups/{id}': members,
  'PATCH /scim/Groups/{id}': members,
  'POST /scim/Bulk': ['user.created', ...users, 'user.deleted', ...members],
  // OAuth
  'POST /oauth/token': ['token.issued', 'token.revoked'],
  'POST /oauth/revoke': ['token.revoked'],
  // a client that is a document
  'GET /oauth/authorize': ['client.created', 'client.deleted'],
  'POST /oauth/authorize': ['client.created', 'client.deleted'],
  'POST /oauth/par': ['client.created', 'client.deleted'],
  'GET /oauth/social/{provider}': ['client.created', 'client.deleted'],
  'POST /connect/register': ['client.created', 'client.deleted'],
  'DELETE /connect/register/{clientId}': ['client.deleted'],
  'GET /oauth/end_session': ['user.logout'],
  'GET /oauth/social/{provider}/callback': ['user.created', 'identity.linked', ...signIn],
  'POST /consent': ['consent.granted'],
  'POST /device/decision': ['consent.granted'],
  // security events
  'POST /ssf/verify': ['signals.verification'],
  'POST /signals/receive': ['user.logout', 'token.revoked'],
  // pages of sign-in
  'POST /signin': [...signIn, ...guesses, 'security.brute_force'],
  'POST /signin/link': signIn,
  'POST /signin/sent': signIn,
  'POST /signin/passkey': [...signIn, 'user.mfa_verified', 'user.mfa_failed'],
  'POST /signin/reset': [...signIn, 'user.password_changed'],
  'POST /signin/new-password': [...signIn, 'user.password_changed'],
  'POST /signin/profile': [...signIn, 'user.updated'],
  'POST /signin/second-factor': [...signIn, ...guesses, 'user.mfa_verified', 'user.mfa_failed'],
  'POST /signin/second-factor/send': ['user.mfa_challenged'],
  'POST /signin/second-factor/enrol': [...signIn, 'user.mfa_enabled'],
  'POST /signin/second-factor/skip': signIn,
  'POST /signin/signup/complete': [...signIn, 'user.created'],
  'GET /signout': ['user.logout'],
  'POST /signout': ['user.logout'],
  'POST /access/v1/requests': ['jit.requested', 'jit.approved', 'jit.denied', 'jit.expired'],
  'POST /access/v1/requests/{taskId}/cancel': ['jit.expired'],
  // pages of the account
  'POST /account/profile': ['user.updated'],
  'POST /account/email/confirm': ['user.updated'],
  'POST /account/verify-email': ['user.updated'],
  'POST /account/password': ['user.password_changed', ...guesses],
  'POST /account/reset-password': ['user.password_changed', 'user.updated', 'identity.unlinked'],
  'POST /account/factors/add': ['user.mfa_enabled'],
  'POST /account/factors/remove': ['user.mfa_disabled'],
  'POST /account/identities/unlink': ['identity.unlinked'],
  'POST /account/applications/disconnect': ['consent.revoked', 'token.revoked'],
  'POST /account/sessions/end': ['user.logout'],
  'POST /account/agents/end': ['jit.revoked'],
  'POST /approvals/{taskId}': ['jit.approved', 'jit.denied'],
  'POST /account/sessions/end-others': ['user.logout'],
} as const satisfies Readonly<Partial<Record<Operation, readonly string[]>>>;

/** What causes events without a request. */
export const emittingBeside = {
  'Deliveries to a webhook that fail for too long, or are answered with 410': ['webhook.disabled'],
  'Tasks of agents that nobody decides in time': ['jit.expired'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
