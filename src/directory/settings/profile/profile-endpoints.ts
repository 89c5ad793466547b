import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { invalid, writableBody } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { line } from '../text/formats.ts';
import { profileSettings } from '../views/family-views.ts';
import { answerSchema, bodySchema, draftOf, readView, type WriteMode } from '../views/view.ts';
import { surroundingsOf } from '../views/view-field.ts';
import { readTruth, type SettingsDependencies, type WholeTruth, writeSettings } from '../write/write-settings.ts';
import { type Metadata, mergeMetadata, metadataFault, metadataSchema } from './metadata.ts';

const tags = ['Organization'];

const shown = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  settings: answerSchema(profileSettings),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const body = writableBody(
  { name: line.optional(), settings: bodySchema(profileSettings).optional(), metadata: metadataSchema.optional() },
  shown,
);

/** `/admin/organization`, in both families: the slug never changes. */
export function profileEndpoints(dependencies: SettingsDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/organization`,
      summary: 'Get the profile of the organization',
      tags,
      access: { permission: 'settings.read' },
      responses: { 200: singleSchema(shown) },
      handler: ({ caller }) =>
        answerIfMay(dependencies.engine, caller, 'settings.read', () =>
          json(200, singleAnswer(viewOf(readTruth(dependencies, caller.organization), dependencies.baseUrl), family)),
        ),
    }),
    writeEndpoint(dependencies, base, family, 'PUT'),
    writeEndpoint(dependencies, base, family, 'PATCH'),
  ]);
}

function writeEndpoint(
  dependencies: SettingsDependencies,
  base: FamilyBase,
  family: Family,
  method: 'PUT' | 'PATCH',
): Endpoint {
  const mode: WriteMode = method === 'PUT' ? 'replace' : 'merge';
  return endpoint({
    method,
    path: `${base}/admin/organization`,
    summary: method === 'PUT' ? 'Replace the profile of the organization' : 'Change the profile of the organization',
    description:
      method === 'PUT'
        ? 'Settings and metadata that are left out return to what they were at first; the name stays.'
        : 'What is left out stays. Metadata is merged (RFC 7396): null removes a member.',
    tags,
    access: { permission: 'settings.manage' },
    body,
    responses: { 200: singleSchema(shown) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const draft = draftOf(profileSettings, body.settings ?? {}, mode);
      const truth = await writeSettings(dependencies, caller, factsOf(call), {
        draft: { ...draft, name: body.name },
        metadata: (before) => metadataAfter(before, body.metadata, mode),
        auditEvent: {
          action: 'organization.update',
          targetType: 'organization',
          targetId: caller.organization.id,
        },
      });
      return json(200, singleAnswer(viewOf(truth, dependencies.baseUrl), family));
    },
  });
}

function metadataAfter(before: Metadata, change: Metadata | undefined, mode: WriteMode): Metadata {
  if (mode === 'replace') return change ?? {};
  const after = change === undefined ? before : mergeMetadata(before, change);
  const fault = metadataFault(after);
  if (fault !== undefined) throw invalid('metadata', fault);
  return after;
}

function viewOf(truth: WholeTruth, baseUrl: string) {
  const { id, slug, name, metadata = {}, createdAt, updatedAt = createdAt } = truth.record;
  return {
    id,
    slug,
    name,
    settings: readView(profileSettings, truth, surroundingsOf(baseUrl, slug)),
    metadata,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
