import { jsonText, noContent, type Reply } from '../../../http/index.ts';
import { namesVersion, type ScimResource, versionIn } from '../documents/scim-resource.ts';
import { renderScim, scimContentType, scimProblems } from '../errors/scim-errors.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { describedResource } from './described-messages.ts';

/** Media types that clients send (RFC 7644, 3.1). */
export const scimTypes = [scimContentType, 'application/json'];

/** What all endpoints for users and groups have. */
export const common = {
  tags: ['SCIM'],
  access: { scope: 'scim' },
  renderer: renderScim,
  errors: ['unavailable', ...Object.values(scimProblems)],
} as const;

export function resourceResponse(type: ResourceType) {
  return {
    description: 'The resource',
    contentType: scimContentType,
    schema: describedResource(type).answer,
    headers: { ETag: 'Its version', Location: 'Its URL' },
  };
}

export const unchangedResponse = { description: 'The client has this version.' };
export const noContentResponse = { description: 'Done. The answer has no body.' };

/** A resource, or what the service says of one. */
type WithMeta = { readonly meta?: unknown };

/** A resource with its address and version (RFC 7644, 3.3 and 3.14). @param shown what is asked for of it */
export function resourceReply(status: number, { meta }: WithMeta, shown: ScimResource | string): Reply<never> {
  const { location = '' } = meta as { readonly location?: string };
  const version = versionIn({ meta });
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  const headers = { location, ...(version === undefined ? {} : { etag: version }) };
  return jsonText(status, text, { contentType: scimContentType, headers });
}

/** 304 where the client has this version. */
export function unchangedReply(ifNoneMatch: string, resource: WithMeta): Reply<never> | undefined {
  const version = versionIn(resource);
  if (ifNoneMatch === '' || version === undefined || !namesVersion(ifNoneMatch, version)) return undefined;
  return { ...noContent({ etag: version }), status: 304 };
}
