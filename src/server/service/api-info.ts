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
    tags: [
      {
        name: 'Authorization checks',
        description: 'Is a subject allowed to do something? By permission, role and attribute.',
      },
      { name: 'Relationships', description: 'Check, list and explain relationships between objects and subjects.' },
      { name: 'Tuples', description: 'Write, delete and read relationships, and follow their changes.' },
      { name: 'Models', description: 'Which types and relations there are, and what follows from them.' },
      { name: 'Model Context Protocol', description: 'Decisions, questions and elevations as tools for agents.' },
      { name: 'AuthZEN', description: 'The standard Authorization API 1.0.' },
      { name: 'Questions', description: 'Ask about permissions and relations in plain words.' },
      { name: 'Users', description: 'People: profiles, credentials, roles, groups and permissions.' },
      { name: 'Roles', description: 'Named sets of permissions, for users and groups.' },
      {
        name: 'Permissions',
        description: 'Rights to do one thing with one type of resource, given directly or in roles.',
      },
      { name: 'Scopes', description: 'What OAuth tokens may be used for.' },
      { name: 'Groups', description: 'Users who share roles and access.' },
      { name: 'Policies', description: 'Rules over attributes that grant permissions.' },
      { name: 'Agents', description: 'Programs with permissions of their own, which can also act for users.' },
      { name: 'Delegations', description: 'Which agents act for which users.' },
      {
        name: 'Elevations',
        description: 'Permissions that agents ask for and are lent for a limited time.',
      },
      { name: 'Organization', description: 'The profile of an organization, and its usage.' },
      { name: 'Settings', description: 'What an organization can configure, in three shapes over the same values.' },
      { name: 'Social providers', description: 'Other companies through which users can sign in.' },
      { name: 'API keys', description: 'Keys for programs that call this API.' },
      { name: 'Audit log', description: 'Who did what, in entries that are chained to each other.' },
      { name: 'Events', description: 'What happened in an organization, by page or as a stream.' },
      { name: 'Webhooks', description: 'Addresses that events are sent to, their deliveries, and sending them again.' },
      { name: 'Sessions', description: 'See who is signed in, and sign them out.' },
      { name: 'Tokens', description: 'See issued tokens, and revoke them.' },
      { name: 'SCIM', description: 'Provisioning of users and groups by other systems (SCIM 2.0, RFC 7644).' },
      { name: 'SCIM tokens', description: 'Credentials for provisioning systems.' },
      { name: 'SCIM administration', description: 'The log of SCIM requests, and dry runs.' },
      { name: 'OAuth clients', description: 'Applications that sign users in and get tokens.' },
      { name: 'OAuth', description: 'Each organization’s own OAuth 2.0 and OpenID Connect provider.' },
      {
        name: 'Shared signals',
        description: 'Security events to and from other services (Shared Signals Framework 1.0).',
      },
      { name: 'Platform', description: 'Create and delete organizations, with the platform key.' },
      { name: 'Operations', description: 'Health, readiness and metrics.' },
    ],
  };
}
