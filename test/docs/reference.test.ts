import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { search } from '../../assets/docs.js';
import { InProcessService } from '../identity/sessions/in-process-service.ts';

interface Entry {
  readonly url: string;
  readonly title: string;
  readonly names: string;
  readonly path: string;
  readonly fields: string;
  readonly method?: string;
}

interface Described {
  readonly operationId: string;
  readonly 'x-name': string;
  readonly tags: readonly string[];
}

const FIRST_PAGE_MAX = 300_000;

let service: InProcessService;
const pages = new Map<string, string>();
let index: readonly Entry[];
let operations: readonly { readonly method: string; readonly path: string; readonly operation: Described }[];

async function textOf(url: string): Promise<string> {
  const response = await fetch(service.url + url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

/** Addresses on a page that are of this site, without anchors. */
function linksOf(text: string): string[] {
  const found = [...text.matchAll(/(?:href|src)="(\/[^"#]*)(?:#[^"]*)?"/g)].map(([, url = '']) => url);
  return [...new Set(found)];
}

beforeAll(async () => {
  service = await InProcessService.start();
  const waiting = ['/docs'];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (pages.has(url)) continue;
    const text = await textOf(url);
    pages.set(url, text);
    if (url.startsWith('/docs') && !url.startsWith('/docs/assets/')) waiting.push(...linksOf(text));
  }
  const [, address = ''] = /data-index="([^"]+)"/.exec(pages.get('/docs') ?? '') ?? [];
  index = JSON.parse(await textOf(address)) as Entry[];
  const { paths } = JSON.parse(await textOf('/openapi.json')) as { paths: Record<string, Record<string, Described>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}, 120_000);
afterAll(() => service.stop());

describe('the documentation', () => {
  test('loads less than 300 KB for its first page', () => {
    const first = pages.get('/docs') ?? '';
    const loaded = linksOf(first).filter((url) => url.startsWith('/docs/assets/'));
    expect(loaded).toHaveLength(3);
    const sizes = [first, ...loaded.map((url) => pages.get(url) ?? '')].map((text) => Buffer.byteLength(text));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE_MAX);
  });

  test('has every anchor that a link names', () => {
    const missing: string[] = [];
    for (const [url, text] of pages) {
      if (!text.startsWith('<!doctype')) continue;
      for (const [, target = '', anchor = ''] of text.matchAll(/href="([^"#]*)#([^"]+)"/g)) {
        const page = target === '' ? text : pages.get(target);
        if (!page?.includes(` id="${anchor}"`)) missing.push(`${url}: ${target}#${anchor}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('shows each operation once, with the paths of both families', () => {
    const sections = [...pages].flatMap(([url, text]) =>
      [...text.matchAll(/<section id="([^"]+)" class="operation">/g)].map(([, id]) => `${url}#${id}`),
    );
    expect(new Set(sections).size).toBe(sections.length);
    const names = new Set(operations.map(({ operation }) => `${operation.tags[0]} ${operation['x-name']}`));
    expect(sections).toHaveLength(names.size);
    const users = pages.get('/docs/reference/users') ?? '';
    expect(users).toContain('/t/<i>{tenant}</i>/api/v1/admin/users');
    expect(users).toContain('/orgs/<i>{orgId}</i>/api/v1/admin/users');
  });
});

describe('the documents of the repository', () => {
  const plain = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
  /** Of the operations `POST /admin/agents` and `GET {api}/agents/me`, which may stand in the middle of a path. */
  const named = /\b(GET|POST|PUT|PATCH|DELETE) +(?:\{[a-z ]+\}|…)?(\/[\w/{}.-]*[\w}])/g;

  test('name operations that there are', () => {
    // the list of events is made from the operations, and names pages too
    const files = readdirSync('src/docs', { recursive: true, encoding: 'utf8' });
    const documents = files.filter((file) => file.endsWith('.md') && file !== 'events.md' && !file.startsWith('adr'));
    const known = operations.map(({ method, path }) => ({ method, path: plain(path) }));
    const unknown: string[] = [];
    let count = 0;
    for (const document of [...documents.map((file) => join('src/docs', file)), 'README.md']) {
      const text = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ');
      for (const [, method = '', path = ''] of text.matchAll(named)) {
        count++;
        const isKnown = known.some((each) => each.method === method && each.path.endsWith(plain(path)));
        if (!isKnown) unknown.push(`${document}: ${method} ${path}`);
      }
    }
    expect(unknown).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });
});

describe('the search of the documentation', () => {
  const entryOf = (operationId: string) => index.find(({ names }) => names.split(' ').includes(operationId));

  test('finds each operation by its name, first of all', () => {
    const wrong = operations
      .map(({ operation }) => operation.operationId)
      .filter((name) => search(index, name)[0] !== entryOf(name));
    expect(wrong).toEqual([]);
  });

  test('finds each operation by its path', () => {
    const wrong = operations.filter(({ method, path, operation }) => {
      const filled = path
        .replace('{tenant}', 'acme')
        .replace('{orgId}', 'acme')
        .replaceAll(/\{[^}]+\}/g, '42');
      const entry = entryOf(operation.operationId);
      return entry === undefined || ![path, `${method} ${filled}`].every((text) => search(index, text).includes(entry));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('finds each operation by each of its fields', () => {
    const missing: string[] = [];
    for (const entry of index.filter(({ method }) => method !== undefined)) {
      const fields = entry.fields.split(' ').filter((field) => field !== '');
      if (!fields.every((field) => search(index, field).includes(entry))) missing.push(entry.title);
    }
    expect(missing).toEqual([]);
  });
});
