import { z } from 'zod';
import { bytes, type Endpoint, endpointFor, lasting, problem } from '../../../http/index.ts';
import { readBrand } from '../theme/brand.ts';
import { brandingCss } from '../theme/branding-css.ts';
import type { PageDependencies } from './page-endpoint.ts';

const endpoint = endpointFor<unknown>();

/** `GET {issuer}/branding.css`: under the version that pages name it is kept for good. */
export function brandingEndpoint({ engine, directory }: PageDependencies): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/orgs/{orgId}/branding.css',
    summary: 'The colours of an organization’s pages, and its own style sheet',
    tags: ['Pages'],
    access: 'public',
    rate: 'unlimited',
    query: z.object({ v: z.string().max(64).optional() }),
    responses: { 200: { description: 'A style sheet' } },
    errors: ['not_found'],
    handler({ params, query }) {
      const brand = engine.read(() => {
        const organization = directory.find(params.orgId);
        return organization && readBrand(engine, organization);
      });
      if (brand === undefined) return problem('not_found');
      const css = brandingCss(brand.settings);
      const type = 'text/css; charset=utf-8';
      return query.v === brand.version ? lasting(type, css) : bytes(200, type, css);
    },
  });
}
