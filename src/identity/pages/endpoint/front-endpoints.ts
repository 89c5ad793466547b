import { type Endpoint, endpointFor, redirect } from '../../../http/index.ts';
import { issuerPath, siteOf } from '../site.ts';
import type { PageDependencies } from './page-endpoint.ts';
import { plainProblemPage } from './problem-page.tsx';

const endpoint = endpointFor<unknown>();

/** Where people come who type an address: of the service, and of an organization. */
export function frontEndpoints({ baseUrl }: Pick<PageDependencies, 'baseUrl'>): Endpoint[] {
  const site = siteOf(baseUrl);
  const plain = {
    method: 'GET',
    tags: ['Pages'],
    access: 'public',
    responses: { 303: { description: 'To a page' } },
    renderer: plainProblemPage(site),
  } as const;
  return [
    endpoint({ ...plain, path: '/', summary: 'The reference', handler: () => redirect(303, `${site.path}/docs`) }),
    endpoint({
      ...plain,
      path: '/orgs/{orgId}',
      summary: 'The account',
      handler: ({ params }) => redirect(303, `${issuerPath(site, encodeURIComponent(params.orgId))}/account`),
    }),
  ];
}
