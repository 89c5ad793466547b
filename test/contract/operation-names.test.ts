import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/http/index.ts';
import { InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let document: OpenApiDocument;

beforeAll(async () => {
  service = await InProcessService.start();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Objects below a schema that have no name: generators have to invent one. */
function findInline(schema: object, place: string, found: string[]): void {
  const visit = (value: unknown, below: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, below);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (Object.keys((value as { properties?: object }).properties ?? {}).length > 1) found.push(below);
    findInline(value, below, found);
  };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') {
      for (const [name, member] of Object.entries(value as object)) visit(member, `${place}.${name}`);
    } else if (['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(keyword)) visit(value, place);
  }
}

/** Generated clients call them: a name that has been published does not change. */
describe('names in the OpenAPI document', () => {
  test('of operations: operation-names.txt', async () => {
    const lines = operations().map(({ method, path, operation }) => `${operation.operationId}: ${method} ${path}`);
    expect(new Set(lines.map((line) => line.split(':')[0])).size).toBe(lines.length);
    await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('operation-names.txt');
  });

  test('of schemas: schema-names.txt', async () => {
    const names = Object.keys(document.components.schemas);
    // where a number would tell two apart, say what they are: `.meta({ id: 'InactiveToken' })`
    expect(names.filter((name) => /\d$|^_/.test(name))).toEqual([]);
    await expect(`${names.toSorted().join('\n')}\n`).toMatchFileSnapshot('schema-names.txt');
  });

  test('stand for every object of two members and more, in bodies, answers and other schemas', () => {
    const unnamed: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) findInline(schema, name, unnamed);
    for (const { operation } of operations()) {
      const { operationId, requestBody, responses } = operation;
      const bodies = Object.values(requestBody?.content ?? {});
      const answers = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
      for (const { schema } of [...bodies, ...answers]) {
        findInline({ items: schema }, operationId, unnamed);
        // a body or an answer that is some object or other says nothing to a generator
        if (schema.type === 'object' || Object.keys(schema).length === 0) unnamed.push(operationId);
      }
    }
    expect(unnamed).toEqual([]);
  });

  test('are no numbers that are whole: those are integers', () => {
    const numbers: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ((value as { type?: unknown }).type === 'number') numbers.push(place);
      for (const [key, inner] of Object.entries(value)) visit(inner, `${place}/${key}`);
    };
    visit(document.components.schemas, '');
    visit(
      operations().map(({ operation }) => [operation.operationId, operation.parameters]),
      '',
    );
    expect(numbers).toEqual(['/AskResponse/properties/confidence']);
  });

  test('of operations are the same in both families, apart from the prefix', () => {
    const names = new Map(operations().map(({ method, path, operation }) => [`${method} ${path}`, operation]));
    const different = operations().flatMap(({ method, path, operation: { operationId } }) => {
      const other = names.get(`${method} ${path.replace('/t/{tenant}', '/orgs/{orgId}')}`);
      if (other === undefined || !path.startsWith('/t/')) return [];
      const expected = `org${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
      return other.operationId === expected ? [] : [`${operationId} and ${other.operationId}`];
    });
    expect(different).toEqual([]);
  });
});
