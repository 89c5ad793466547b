import type { ApiInfo } from '../../http/index.ts';
import { serviceVersion } from '../../platform/index.ts';
import { requestExamples } from '../reference/examples/index.ts';
import { fieldWords } from '../reference/fields/index.ts';
import { operationDescriptions } from '../reference/operation-descriptions.ts';
import { operationNames, pathFamilies } from '../reference/operation-names.ts';

const description = `
Decisions about who may do what, from relationships, roles and attributes.

Every organization has its endpoints in two families of paths over the same data: \`/t/{tenant}/api/v1\` and
\`/orgs/{orgId}/api/v1\`. Credentials are API keys, as \`Authorization: Bearer\`, \`Authorization: ApiKey\` or \`X-API-Key\`,
and access tokens of the organization's own provider, as \`Authorization: Bearer\`. What a token may is narrowed by its
scopes: one names a permission by its slug, and \`settings.manage\` all of them.

Every decision and every write answers with a \`revision\`, a consistency token: given back as
\`consistency: {"atLeast": ...}\`, it makes sure that an answer is not older. One from before a backup was restored is
refused with \`log_replaced\`: what was written after the backup is gone. Read again what matters, and go on with the
token of that answer.
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
      { name: 'Authorization checks', description: 'May a subject do something? By permission, role and attribute.' },
      { name: 'Relationships', description: 'Questions about objects, relations and subjects.' },
      { name: 'Tuples', description: 'The relationships themselves, and their changes.' },
      { name: 'Models', description: 'What relations there are, and how they follow from each other.' },
      { name: 'Model Context Protocol', description: 'Decisions, questions and elevations as tools of agents.' },
      { name: 'Questions', description: 'In plain words, about permissions and relations.' },
      { name: 'Users', description: 'People: profiles, credentials, and what they have been given.' },
      { name: 'Roles', description: 'Named sets of permissions, for users and groups.' },
      {
        name: 'Permissions',
        description: 'Rights to do one thing to one kind of resource, in roles or by themselves.',
      },
      { name: 'Scopes', description: 'What OAuth tokens carry.' },
      { name: 'Groups', description: 'Users who are given the same.' },
      { name: 'Policies', description: 'Rules over attributes that grant permissions.' },
      {
        name: 'Elevations',
        description: 'What agents ask for beyond what they have, and what they are lent for a time.',
      },
      { name: 'Organization', description: 'Its profile, and what it uses.' },
      { name: 'Settings', description: 'What an organization decides about itself: three shapes of one truth.' },
      { name: 'Social providers', description: 'Through whom users may sign in.' },
      { name: 'API keys', description: 'Keys of programs that call this interface.' },
      { name: 'Audit log', description: 'What was done, by whom: every entry is chained to those before it.' },
      { name: 'Events', description: 'What happens, as webhooks and others are told of it.' },
      { name: 'Webhooks', description: 'Where events are sent, in three forms; what was sent, and sending it again.' },
      { name: 'Sessions', description: 'Who is signed in, and how to end it.' },
      { name: 'Tokens', description: 'Tokens that were issued, and how to revoke them.' },
      { name: 'SCIM', description: 'Provisioning of users and groups by other systems (SCIM 2.0, RFC 7644).' },
      { name: 'SCIM tokens', description: 'The credentials of these systems.' },
      { name: 'SCIM administration', description: 'The log of SCIM requests, and a dry run of one.' },
      { name: 'OAuth clients', description: 'Applications that get tokens: who they are, and where they may lead to.' },
      { name: 'OAuth', description: 'Each organization’s own provider of tokens (OAuth 2.0), by its standards.' },
      {
        name: 'Shared signals',
        description: 'Security events, to and from others (Shared Signals Framework 1.0).',
      },
      { name: 'Platform', description: 'Organizations. For the super administrator.' },
      { name: 'Operations', description: 'Whether the service lives and is ready, and what it measures.' },
    ],
  };
}
