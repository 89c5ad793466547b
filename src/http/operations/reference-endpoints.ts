import { z } from 'zod';
import { docsPolicy } from '../docs/shell.ts';
import { docsSite } from '../docs/site.ts';
import { type ApiInfo, openApiDocument } from '../openapi/openapi.ts';
import { problem } from '../problems/problem.ts';
import { bytes, lasting, page } from '../reply/reply.ts';
import { type Endpoint, endpointFor } from '../routing/endpoint.ts';

const endpoint = endpointFor<never>();
const tags = ['Operations'];

/**
 * `/openapi.json` and the pages of `/docs` for the given endpoints and themselves. They are written when they are first
 * asked for: that takes longer than anything else that a thread does before it can serve.
 */
export function referenceEndpoints(endpoints: readonly Endpoint[], api: ApiInfo): Endpoint[] {
  const describe = once(() => openApiDocument([...endpoints, ...own], api));
  const document = once(() => Buffer.from(JSON.stringify(describe())));
  const site = once(() => docsSite(describe()));
  const own: Endpoint[] = [
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get the API as OpenAPI 3.1',
      description: 'Generators make clients from it. Names of operations and schemas stay as they are.',
      tags,
      access: 'public',
      cors: true,
      responses: {
        200: {
          description: 'The document.',
          schema: z.looseObject({ openapi: z.string().describe('Its version: 3.1.0.') }),
        },
      },
      handler: () => bytes(200, 'application/json', document()),
    }),
    endpoint({
      method: 'GET',
      path: '/docs',
      summary: 'The documentation',
      description: 'The first page of the guides and the reference, for people.',
      tags,
      access: 'public',
      responses: { 200: { description: 'The page.', contentType: 'text/html' } },
      handler: () => page(site().page('/docs') ?? '', { policy: docsPolicy }),
    }),
    endpoint({
      method: 'GET',
      path: '/docs/{section}/{name}',
      summary: 'A page of the documentation',
      description: 'A page of the reference or a guide, or what these pages load.',
      tags,
      access: 'public',
      rate: 'unlimited',
      errors: ['not_found'],
      responses: { 200: { description: 'The page or file.', contentType: 'text/html' } },
      handler({ params }) {
        const url = `/docs/${params.section}/${params.name}`;
        const file = site().file(url);
        if (file !== undefined) return lasting(file.contentType, file.body);
        const markup = site().page(url);
        return markup === undefined ? problem('not_found') : page(markup, { policy: docsPolicy });
      },
    }),
  ];
  return own;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
