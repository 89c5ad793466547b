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
