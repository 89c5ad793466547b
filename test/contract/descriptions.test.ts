import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/http/index.ts';
import { fieldWords } from '../../src/server/reference/fields/index.ts';
import { operationDescriptions } from '../../src/server/reference/operation-descriptions.ts';
import { InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let document: OpenApiDocument;

beforeAll(async () => {
  service = await InProcessService.start();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => service.stop());

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Whether it says something, and not only the name again. */
function isTold(name: string, text: unknown): boolean {
  return typeof text === 'string' && lettersOf(text) !== '' && lettersOf(text) !== lettersOf(name);
}

type Visit = (name: string, field: Readonly<Record<string, unknown>>, owner: string) => void;

function forEachField(value: unknown, owner: string, visit: Visit): void {
  if (Array.isArray(value)) for (const each of value) forEachField(each, owner, visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === 'properties' && typeof inner === 'object' && inner !== null) {
      for (const [name, field] of Object.entries(inner)) {
        visit(name, field as Record<string, unknown>, owner);
        forEachField(field, owner, visit);
      }
    } else {
      forEachField(inner, owner, visit);
    }
  }
}

/** Where one is missing: describe the field in its schema, or in `src/server/reference`. */
describe('the OpenAPI document says something about', () => {
  test('each operation', () => {
    const missing = operations().filter(({ summary, description }) => !isTold(summary, description));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('each parameter', () => {
    const missing = operations().flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ name, description }) => !isTold(name, description))
        .map(({ name }) => `${operationId}.${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('each field', () => {
    const missing: string[] = [];
    const visit: Visit = (name, { description }, owner) => {
      if (!isTold(name, description)) missing.push(`${owner}.${name}`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) forEachField(schema, name, visit);
    for (const { operationId, requestBody, responses } of operations()) {
      forEachField({ requestBody, responses }, operationId, visit);
    }
    expect(missing).toEqual([]);
  });

  test('and has no words for what is not there', () => {
    const used = new Set<string>();
    for (const [owner, schema] of Object.entries(document.components.schemas)) {
      forEachField(schema, owner, (name) => used.add(name).add(`${owner}.${name}`));
    }
    for (const operation of operations()) {
      const { parameters = [], requestBody, responses } = operation;
      for (const { name } of parameters) used.add(name).add(`{${name}}`);
      forEachField({ requestBody, responses }, '', (name) => used.add(name));
    }
    expect(Object.keys(fieldWords).filter((name) => !used.has(name))).toEqual([]);
    const names = new Set(operations().map((operation) => operation['x-name']));
    expect(Object.keys(operationDescriptions).filter((name) => !names.has(name))).toEqual([]);
  });
});
