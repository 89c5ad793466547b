import { problemType } from '../problems/problem-renderer.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { describeOperation, type Operation } from './operation.ts';
import { type JsonSchema, SchemaComponents } from './schema-components.ts';

export interface TagInfo {
  readonly name: string;
  readonly description?: string;
}

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Never from a request's Host header. */
  readonly baseUrl: string;
  /** In the order of the reference; tags that only endpoints name follow. */
  readonly tags: readonly TagInfo[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly TagInfo[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', examples: [problemType('not_found')] },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people. Programs branch on `code`.' },
    code: { type: 'string', description: 'Never changes its meaning.' },
    request_id: { type: 'string', description: 'Also in the header X-Request-Id, and in the log.' },
    errors: {
      type: 'array',
      description: 'The faults of the input.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: '`checks[3].object` in a body, `query.limit`, `path.orgId`.' },
          message: { type: 'string' },
        },
      },
    },
  },
};

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  apiKeyScheme: { type: 'http', scheme: 'ApiKey', description: 'Authorization: ApiKey <key>' },
} as const;

/** The OpenAPI 3.1 document of the endpoints, in the order in which they are given. */
export function openApiDocument(endpoints: readonly Endpoint[], api: ApiInfo): OpenApiDocument {
  const components = new SchemaComponents();
  components.add('Problem', problemSchema);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, components);
    paths[endpoint.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: api.description },
    servers: [{ url: api.baseUrl }],
    tags: allTags(endpoints, api.tags),
    paths,
    components: { schemas: components.all(), securitySchemes },
  };
}

function allTags(endpoints: readonly Endpoint[], known: readonly TagInfo[]): TagInfo[] {
  const used = new Set(endpoints.flatMap(({ tags }) => tags));
  const first = known.filter(({ name }) => used.has(name));
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...[...used].filter((name) => !names.has(name)).map((name) => ({ name }))];
}
