import { z } from 'zod';
import { defineProblems, type Endpoint, endpointFor, json, noContent, problem } from '../../http/index.ts';
import { genericBounds, listAnswer, listSchema, readPage, searchParameters } from '../../kernel/lists/index.ts';
import { type OrganizationRecord, organizationSlugSchema } from '../../kernel/organizations/index.ts';
import { isoTime } from '../../platform/index.ts';
import type { Organizations } from './organizations.ts';

const endpoint = endpointFor<unknown>();
const tags = ['Platform'];

export const organizationProblems = defineProblems({ slug_taken: [409, 'The slug is or was in use'] });

const organization = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  createdAt: z.string(),
});

const name = z.string().min(1).max(200);

/** `/platform/api/v1/orgs`: for the super administrator alone. */
export function platformEndpoints(organizations: Organizations): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/platform/api/v1/orgs',
      summary: 'Create an organization',
      description: 'The answer is the only one that shows the administration key.',
      tags,
      access: 'platform',
      body: z.strictObject({ slug: organizationSlugSchema, name }),
      responses: { 201: z.strictObject({ data: organization.extend({ adminApiKey: z.string() }) }) },
      errors: [organizationProblems.slug_taken],
      async handler(call) {
        const { body } = call;
        const created = await organizations.create(body.slug, body.name, call);
        if (created === undefined)
          return problem(organizationProblems.slug_taken, `The slug ${body.slug} is or was used by an organization.`);
        return json(201, { data: { ...view(created.record), adminApiKey: created.adminApiKey } });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/platform/api/v1/orgs',
      summary: 'List organizations',
      tags,
      access: 'platform',
      query: z.strictObject(searchParameters(genericBounds)),
      responses: { 200: listSchema(organization, 'tenant') },
      handler({ query }) {
        const page = readPage(query, genericBounds);
        const search = query.search?.toLowerCase() ?? '';
        // what cannot be read is told at each start
        const all = organizations.all(() => {});
        const found = all.filter((each) => `${each.slug}\n${each.name}`.toLowerCase().includes(search));
        return json(200, listAnswer(found.map(view), page, 'tenant'));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/platform/api/v1/orgs/{slug}',
      summary: 'Get an organization',
      description: 'The audit log of the organization says that it was read.',
      tags,
      access: 'platform',
      responses: { 200: z.strictObject({ data: organization }) },
      errors: ['unavailable'],
      async handler(call) {
        const record = await organizations.read(call.params.slug, call);
        return record === undefined ? problem('not_found') : json(200, { data: view(record) });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/platform/api/v1/orgs/{slug}',
      summary: 'Delete an organization',
      description: 'It is unreachable at once, and its slug is never used again. Its data is removed in steps.',
      tags,
      access: 'platform',
      responses: { 204: { description: 'It is gone.' } },
      async handler({ params }) {
        return (await organizations.delete(params.slug)) ? noContent() : problem('not_found');
      },
    }),
  ];
}

function view({ id, slug, name, createdAt }: OrganizationRecord) {
  return { id, slug, name, createdAt: isoTime(createdAt) };
}
