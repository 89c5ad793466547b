import { problemType } from '../problems/problem-renderer.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { type FieldWords, withDescribedFields, withDescribedParameters } from './described-fields.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeOperation, type Operation } from './operation.ts';
import { operationName, type PathFamily } from './operation-name.ts';
import { namingOrder, withNamedSchemas } from './operation-schemas.ts';
import { type RequestExamples, withExample } from './request-examples.ts';
import { SchemaComponents } from './schema-components.ts';
import { SchemaNames } from './schema-names.ts';

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
  /** None where omitted: then all paths are of one family. */
  readonly families?: readonly PathFamily[];
  /** Names of operations that do not follow the rule, by method and path without the base of the family. */
  readonly names?: Readonly<Record<string, string>>;
  /** More about operations whose endpoints only have a summary, by name without the prefix of the family. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Requests that are shown, and that a test sends. */
  readonly examples?: RequestExamples;
  /** What is said about fields whose schemas say nothing. */
  readonly fields?: FieldWords;
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
  const { families = [], names = {}, descriptions = {}, fields = {}, examples = {} } = api;
  const components = new SchemaComponents();
  components.add('Problem', problemSchema);
  const described = endpoints.map((endpoint) => {
    const id = operationName(endpoint, families, names);
    const name = operationName(endpoint, withoutPrefixes(families), names);
    return { endpoint, id, name, operation: describeOperation(endpoint, id, components) };
  });
  const schemaNames = new SchemaNames(components.all());
  for (const each of described.toSorted((left, right) => namingOrder(left) - namingOrder(right))) {
    each.operation = withNamedSchemas(each.operation, each, schemaNames);
  }
  schemaNames.nameInner();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { endpoint, name, operation } of described) {
    const { description = descriptions[name] } = operation;
    const whole = {
      ...withExample(withDescribedParameters(operation, name, fields), examples[name]),
      ...(description && { description }),
      'x-name': name,
    };
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: whole };
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: api.description },
    servers: [{ url: api.baseUrl }],
    tags: allTags(endpoints, api.tags),
    paths,
    components: { schemas: withDescribedFields(schemaNames.all(), fields), securitySchemes },
  };
}

function withoutPrefixes(families: readonly PathFamily[]): PathFamily[] {
  return families.map((family) => ({ ...family, prefix: '' }));
}

function allTags(endpoints: readonly Endpoint[], known: readonly TagInfo[]): TagInfo[] {
  const used = new Set(endpoints.flatMap(({ tags }) => tags));
  const first = known.filter(({ name }) => used.has(name));
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...[...used].filter((name) => !names.has(name)).map((name) => ({ name }))];
}
