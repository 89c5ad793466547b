import type { ProblemKind } from '../problems/problem-kinds.ts';
import { renderProblem } from '../problems/problem-renderer.ts';
import type { Access } from '../routing/access.ts';
import { type Endpoint, plainTextType, type ResponseDetails } from '../routing/endpoint.ts';
import { parsePath } from '../routing/path-pattern.ts';
import { type JsonSchema, mapValues, membersOf, refTo, requiredOf } from './json-schema.ts';
import type { SchemaComponents } from './schema-components.ts';

export interface ParameterInfo {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

export interface MediaInfo {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ResponseInfo {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, MediaInfo>>;
  /** The codes of the problems with this status. */
  readonly 'x-codes'?: readonly { readonly code: string; readonly title: string }[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** Who may call it, in the words of `Access`. */
  readonly 'x-access': string;
  /** Its name without the prefix of its family: the same in both. */
  readonly 'x-name'?: string;
  readonly parameters?: readonly ParameterInfo[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, MediaInfo>> };
  readonly responses: Readonly<Record<string, ResponseInfo>>;
}

/** @param operationId stable, as generated clients name their functions by it */
export function describeOperation(endpoint: Endpoint, operationId: string, components: SchemaComponents): Operation {
  const parameters = [...pathParameters(endpoint, components), ...queryParameters(endpoint, components)];
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: endpoint.tags,
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    security: securityOf(endpoint.access),
    'x-access': accessText(endpoint.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint, components),
    responses: { ...goodResponses(endpoint, components), ...problemResponses(endpoint) },
  };
}

function securityOf(access: Access): Operation['security'] {
  if (access === 'public') return [];
  if (typeof access !== 'string' && 'scope' in access) return [{ bearer: [] }];
  return [{ bearer: [] }, { apiKey: [] }, { apiKeyScheme: [] }];
}

function accessText(access: Access): string {
  if (typeof access === 'string') return access;
  if ('resource' in access) return `resource ${access.resource}`;
  return 'scope' in access ? `scope ${access.scope}` : `permission ${access.permission}`;
}

function pathParameters(endpoint: Endpoint, components: SchemaComponents): ParameterInfo[] {
  const properties = endpoint.params === undefined ? {} : membersOf(components.schema(endpoint.params, 'input'));
  return parsePath(endpoint.path).names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(properties[name] ?? { type: 'string' }),
  }));
}

function queryParameters(endpoint: Endpoint, components: SchemaComponents): ParameterInfo[] {
  if (endpoint.query === undefined) return [];
  const schema = components.schema(endpoint.query, 'input');
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema)).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.has(name),
    ...describedSchema(property),
  }));
}

function describedSchema({ description, ...schema }: JsonSchema): { description?: string; schema: JsonSchema } {
  return typeof description === 'string' ? { description, schema } : { schema };
}

function requestBody(endpoint: Endpoint, components: SchemaComponents): Pick<Operation, 'requestBody'> {
  if (endpoint.bodyForm === undefined) return {};
  const schema: JsonSchema =
    endpoint.body === undefined ? { type: 'string' } : components.schema(endpoint.body, 'input', endpoint.path);
  const content = Object.fromEntries(
    endpoint.accepts.map((type) => [type, { schema: type === plainTextType ? { type: 'string' } : schema }]),
  );
  return { requestBody: { required: !endpoint.bodyOptional, content } };
}

function goodResponses(endpoint: Endpoint, components: SchemaComponents): Record<string, ResponseInfo> {
  const media = (schema: ResponseDetails['schema']): MediaInfo => ({
    schema: schema === undefined ? { type: 'string' } : components.schema(schema, 'output', endpoint.path),
  });
  const describe = ({ description, schema, contentType, others = {}, headers }: ResponseDetails): ResponseInfo => ({
    description,
    ...(headers && { headers: mapValues(headers, describeHeader) }),
    ...(schema === undefined && contentType === undefined
      ? {}
      : { content: { [contentType ?? 'application/json']: media(schema), ...mapValues(others, media) } }),
  });
  return Object.fromEntries([...endpoint.responses].map(([status, details]) => [String(status), describe(details)]));
}

function describeHeader(description: string) {
  return { description, schema: { type: 'string' } };
}

function problemResponses(endpoint: Endpoint): Record<string, ResponseInfo> {
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of endpoint.errors) byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
  // another family's form of errors is described in that family's own standard
  const content =
    endpoint.renderer === renderProblem
      ? { content: { 'application/problem+json': { schema: refTo('Problem') } } }
      : {};
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      String(status),
      {
        description: kinds.map(({ title }) => title).join('; '),
        ...content,
        'x-codes': kinds.map(({ code, title }) => ({ code, title })),
      },
    ]),
  );
}
