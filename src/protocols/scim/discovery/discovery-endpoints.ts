import { z } from 'zod';
import type { Engine } from '#engine';
import { type Endpoint, endpointFor, jsonText, problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { atBothBases, baseUrlOf, type ScimBase } from '../endpoints/bases.ts';
import { renderScim, scimContentType } from '../errors/scim-errors.ts';
import { filterBounds } from '../filter/filter.ts';
import { groupType } from '../schema/group-type.ts';
import { userType } from '../schema/user-type.ts';
import {
  listResponseSchema,
  resourceTypeSchema,
  resourceTypeView,
  schemaSchema,
  schemaView,
  wholeList,
} from './descriptions.ts';
import { serviceProviderConfig, serviceProviderConfigSchema } from './service-provider-config.ts';

export interface DiscoveryDependencies {
  readonly engine: Pick<Engine, 'read'>;
  /** An organization where SCIM is on. To be called inside `Engine.read`. */
  readonly find: (slug: string) => Pick<Organization, 'slug'> | undefined;
  readonly baseUrl: string;
}

const endpoint = endpointFor<unknown>();
const types = [userType, groupType];
const schemas = types.flatMap(({ schema, extensions }) => [schema, ...extensions]);

/** What can be asked for. */
interface Description {
  readonly path: string;
  readonly summary: string;
  readonly body: z.ZodType;
  /** `undefined` where there is none by this name. */
  view(urls: Urls, name: string): object | undefined;
}

interface Urls {
  /** Of the base that was asked. */
  readonly base: string;
  /** Where people read how to connect. */
  readonly documentation: string;
}

const config = {
  summary: 'Read the capabilities of the SCIM service',
  body: serviceProviderConfigSchema,
  view: ({ base, documentation }: Urls) => serviceProviderConfig(`${base}/ServiceProviderConfig`, documentation),
};

const descriptions: readonly Description[] = [
  { path: '/ServiceProviderConfig', ...config },
  { path: '/serviceConfiguration', ...config },
  {
    path: '/ResourceTypes',
    summary: 'List the types of SCIM resources',
    body: listResponseSchema(resourceTypeSchema),
    view: ({ base }) => wholeList(types.map((type) => resourceTypeView(type, base))),
  },
  {
    path: '/ResourceTypes/{name}',
    summary: 'Read a type of SCIM resources',
    body: resourceTypeSchema,
    view({ base }, name) {
      const type = types.find((each) => each.name === name);
      return type === undefined ? undefined : resourceTypeView(type, base);
    },
  },
  {
    path: '/Schemas',
    summary: 'List the schemas of SCIM resources',
    body: listResponseSchema(schemaSchema),
    view: ({ base }) => wholeList(schemas.map((schema) => schemaView(schema, base))),
  },
  {
    path: '/Schemas/{name}',
    summary: 'Read a schema of SCIM resources by its URN',
    body: schemaSchema,
    view({ base }, name) {
      const schema = schemas.find(({ id }) => id.toLowerCase() === name.toLowerCase());
      return schema === undefined ? undefined : schemaView(schema, base);
    },
  },
];

/**
 * What the service says about itself (RFC 7644, 4). It is open to all, as the RFC allows: apart from the address, it
 * is the same for every organization where SCIM is on.
 */
export function discoveryEndpoints(dependencies: DiscoveryDependencies): Endpoint[] {
  return atBothBases((base) => descriptions.map((each) => discoveryEndpoint(dependencies, base, each)));
}

function discoveryEndpoint(
  { engine, find, baseUrl }: DiscoveryDependencies,
  base: ScimBase,
  { path, summary, body, view }: Description,
): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}${path}`,
    summary,
    tags: ['SCIM'],
    access: 'public',
    query: z.object({ filter: z.string().max(filterBounds.characters).optional() }),
    responses: { 200: { description: summary, schema: body, contentType: scimContentType } },
    errors: ['not_found', 'forbidden'],
    renderer: renderScim,
    handler(call) {
      const params: Readonly<Record<string, string>> = call.params;
      const organization = engine.read(() => find(params.tenant ?? params.orgId ?? ''));
      if (organization === undefined) return problem('not_found');
      // a client could take all of them for what its filter selects (RFC 7644, 4)
      if (call.query.filter !== undefined)
        return problem('forbidden', 'Discovery endpoints do not support filters (RFC 7644, section 4).');
      const urls = { base: baseUrlOf(baseUrl, base, organization.slug), documentation: `${baseUrl}/docs` };
      const found = view(urls, params.name ?? '');
      if (found === undefined) return problem('not_found');
      return jsonText(200, JSON.stringify(found), { contentType: scimContentType });
    },
  });
}
