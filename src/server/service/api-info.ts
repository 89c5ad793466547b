import type { ApiInfo } from '../../http/index.ts';
import { serviceVersion } from '../../platform/index.ts';
import { requestExamples } from '../reference/examples/index.ts';
import { fieldWords } from '../reference/fields/index.ts';
import { operationDescriptions } from '../reference/operation-descriptions.ts';
import { operationNames, pathFamilies } from '../reference/operation-names.ts';

const description = `
Relata decides who is allowed to do what, by relationships, roles and attributes, and signs people in to applications.

Each organization has its endpoints under two paths, \`/t/{tenant}/api/v1\` and \`/orgs/{orgId}/api/v1\`, which work on the
same data. Send an API key as \`Authorization: Bearer\`, \`Authorization: ApiKey\` or \`X-API-Key\`, or an access token of the
organization's own provider as \`Authorization: Bearer\`. A token's scopes limit what it can be used for: a scope is the slug
of a permission, and \`settings.manage\` stands for all of them.

Every decision and every write answers with a \`revision\`. Send it as \`consistency: {"atLeast": ...}\` to get an answer that
is at least as new. After a backup was restored, older revisions are refused with \`log_replaced\`: read your data again, and
continue with the revision of that answer.
`.trim();

/** In the order of the reference. */
const tags: Readonly<Record<string, string>> = {
  'Authorization checks': 'Is a subject allowed to do something? By permission, role and attribute.',
  Relationships: 'Check, list and explain relationships between objects and subjects.',
  Tuples: 'Write, delete and read relationships, and follow their changes.',
  Models: 'Which types and relations there are, and what follows from them.',
  'Model Context Protocol': 'Decisions, questions and elevations as tools for agents.',
  AuthZEN: 'The standard Authorization API 1.0.',
  Questions: 'Ask about permissions and relations in plain words.',
  Users: 'People: profiles, credentials, roles, groups and permissions.',
  Roles: 'Named sets of permissions, for users and groups.',
  Permissions: 'Rights to do one thing with one type of resource, given directly or in roles.',
  Scopes: 'What OAuth tokens may be used for.',
  Groups: 'Users who share roles and access.',
  Policies: 'Rules over attributes that grant permissions.',
  Agents: 'Programs with permissions of their own, which can also act for users.',
  Delegations: 'Which agents act for which users.',
  Elevations: 'Permissions that agents ask for and are lent for a limited time.',
  Organization: 'The profile of an organization, and its usage.',
  Settings: 'What an organization can configure, in three shapes over the same values.',
  'Social providers': 'Other companies through which users can sign in.',
  'API keys': 'Keys for programs that call this API.',
  'Audit log': 'Who did what, in entries that are chained to each other.',
  Events: 'What happened in an organization, by page or as a stream.',
  Webhooks: 'Addresses that events are sent to, their deliveries, and sending them again.',
  Sessions: 'See who is signed in, and sign them out.',
  Tokens: 'See issued tokens, and revoke them.',
  SCIM: 'Provisioning of users and groups by other systems (SCIM 2.0, RFC 7644).',
  'SCIM tokens': 'Credentials for provisioning systems.',
  'SCIM administration': 'The log of SCIM requests, and dry runs.',
  'OAuth clients': 'Applications that sign users in and get tokens.',
  OAuth: 'Each organization’s own OAuth 2.0 and OpenID Connect provider.',
  'Shared signals': 'Security events to and from other services (Shared Signals Framework 1.0).',
  Platform: 'Create and delete organizations, with the platform key.',
  Operations: 'Health, readiness and metrics.',
};

export function apiInfo(baseUrl: string): ApiInfo {
  return {
    title: 'Relata',
    version: serviceVersion,
    description,
    baseUrl,
    families: pathFamilies,
    names: operationNames,
    descriptions: operationDescriptions,
    fields: fieldWords,
    examples: requestExamples,
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  };
}
