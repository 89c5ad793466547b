import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { search } from '../../../assets/docs.js';
import { documentOf } from '../../../src/http/docs/guides/documents.ts';
import { renderMarkdown } from '../../../src/http/docs/guides/render-markdown.ts';
import { html, inline } from '../../../src/http/docs/markup.ts';
import { exampleOf, resolver } from '../../../src/http/docs/pages/schema-example.ts';
import { docsPolicy } from '../../../src/http/docs/shell.ts';
import { docsSite } from '../../../src/http/docs/site.ts';
import { type Endpoint, endpointFor, json, openApiDocument } from '../../../src/http/index.ts';
import { libraryEndpoints } from '../application/library-endpoints.ts';

const api = {
  title: 'Library',
  version: '1',
  description: 'Books & `more`.',
  baseUrl: 'https://library.example/shelf',
  tags: [],
};
const guides = [
  documentOf(
    'guides/lending.md',
    '# Lending\n\nSee [returning](../returning.md#late-books) and `<b>`.\n\n## To whom?\n',
  ),
  documentOf('returning.md', '# Returning\n\n## Late books\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'),
];
const siteOf = (endpoints: readonly Endpoint[], info = api) => docsSite(openApiDocument(endpoints, info), guides);
const site = siteOf(libraryEndpoints());
const textOf = (url: string) => site.page(url)?.toString() ?? '';
const all = site.urls.map(textOf).join('\n');

describe('the reference', () => {
  test('needs no other host, and no script or style of its own inside', () => {
    expect(all).not.toMatch(/<script>|<style|\sstyle=|javascript:|\son\w+=/i);
    const hosts = [...all.matchAll(/https?:\/\/([^/'"&\s<]+)/g)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['library.example']));
    expect(docsPolicy).toContain("default-src 'none'");
    expect(docsPolicy).not.toContain('unsafe');
  });

  test('has links that lead somewhere, below the path of the service', () => {
    for (const url of site.urls) {
      const text = textOf(url);
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, target = ''] of text.matchAll(/(?:href|src|data-index)="([^"]+)"/g)) {
        if (target.startsWith('#')) expect(ids).toContain(target.slice(1));
        else expect(isThere(target), target).toBe(true);
      }
    }
  });

  test('has every operation once, in the page of its area', () => {
    const sections = all.match(/<section id="[^"]+" class="operation">/g) ?? [];
    expect(sections).toHaveLength(libraryEndpoints().length);
  });

  test('shows parameters, bodies, answers, problems and a line to try', () => {
    const books = textOf('/docs/reference/books');
    for (const text of ['query', 'As printed.', 'It was added.', 'malformed_json', 'books:write', 'Middlemarch']) {
      expect(books).toContain(text);
    }
    expect(all).toContain('deprecated');
    expect(books).toContain('curl -X POST &#39;https://library.example/shelf/libraries/{library}/books&#39;');
    expect(books).toContain('-H &quot;Authorization: Bearer $KEY&quot;');
  });

  test('shows both families of an operation in one place', () => {
    const families = [
      { base: '/t/{tenant}', prefix: '' },
      { base: '/orgs/{orgId}', prefix: 'org' },
    ];
    const endpoints = families.map(({ base }) =>
      endpointFor<never>()({
        method: 'GET',
        path: `${base}/books` as string,
        summary: 'List books',
        tags: ['Books'],
        access: 'public',
        responses: { 200: z.strictObject({ [base]: z.string() }) },
        handler: () => json(200, {}),
      }),
    );
    const page =
      siteOf(endpoints, { ...api, families } as never)
        .page('/docs/reference/books')
        ?.toString() ?? '';
    expect(page.match(/<section id="[^"]+" class="operation">/g)).toHaveLength(1);
    expect(page).toContain('/t/<i>{tenant}</i>/books');
    expect(page).toContain('/orgs/<i>{orgId}</i>/books');
    expect(page).toContain('<code>listBooks</code>, <code>orgListBooks</code>');
    expect(page).toContain('Below <code>/orgs</code>');
  });

  test('shows tuples, and endpoints of a scope', () => {
    const tuples = endpointFor<never>()({
      method: 'GET',
      path: '/tuples',
      summary: 'Tuples',
      tags: ['Tuples'],
      access: { scope: 'scim' },
      responses: { 200: z.strictObject({ one: z.tuple([z.literal('a')]), two: z.tuple([z.string(), z.int()]) }) },
      handler: () => json(200, { one: ['a'] as ['a'], two: ['b', 1] as [string, number] }),
    });
    const page = siteOf([tuples]).page('/docs/reference/tuples')?.toString();
    expect(page).toContain('list of &quot;a&quot;');
    expect(page).toContain('list of string or integer');
    expect(page).toContain('made for <code>scim</code>');
  });

  test('shows text as text', () => {
    const evil = endpointFor<never>()({
      method: 'GET',
      path: '/x',
      summary: '<script>alert(1)</script>',
      description: 'a "quoted" `<b>` & more',
      tags: ['<i>x'],
      access: 'public',
      responses: { 200: z.strictObject({ a: z.string().describe('<u>') }) },
      handler: () => json(200, { a: '' }),
    });
    const evilSite = siteOf([evil], { ...api, title: '</title><script>' });
    const page = evilSite.urls.map((url) => evilSite.page(url)).join('');
    expect(page).not.toMatch(/<script>|<i>x|<b>|<u>/);
    expect(page).toContain('<code>&lt;b&gt;</code>');
  });
});

function isThere(target: string): boolean {
  const { pathname } = new URL(target, 'https://library.example');
  if (pathname === '/shelf/openapi.json') return true;
  const url = pathname.replace(/^\/shelf/, '');
  return site.urls.includes(url) || site.file(url) !== undefined;
}

describe('guides', () => {
  test('are pages, with links to each other that work', () => {
    expect(textOf('/docs/guides/lending')).toContain('href="/shelf/docs/documents/returning#late-books"');
    expect(textOf('/docs/documents/returning')).toContain('<h2 id="late-books">');
    expect(textOf('/docs/documents/returning')).toContain('<th>a</th><th>b</th>');
  });

  test('have their first sentence in the list of pages, and lead to the next', () => {
    const more = documentOf('guides/more.md', '# More\n\nIt is `a: b`, at [x](y.md). And so\non.\n');
    const steps = documentOf('guides/steps.md', '# Steps\n\n1. One.\n');
    const two = docsSite(openApiDocument([], api), [more, steps]);
    expect([more.lead, steps.lead]).toEqual(['It is `a: b`, at x.', undefined]);
    expect(two.page('/docs')?.toString()).toContain('<span>It is <code>a: b</code>, at x.</span>');
    expect(two.page(more.url)?.toString()).toContain('<a href="/shelf/docs/guides/steps"><span>Next</span> Steps</a>');
    expect(two.page(steps.url)?.toString()).not.toContain('class="next"');
  });

  test('show code as text', () => {
    expect(textOf('/docs/guides/lending')).toContain('<code>&lt;b&gt;</code>');
    expect(renderMarkdown('```sh\necho "<b>"\n```', (target) => target).markup.text).toContain('&lt;b&gt;');
  });
});

describe('the search', () => {
  const [address = ''] = /data-index="\/shelf([^"]+)"/.exec(all)?.slice(1) ?? [];
  const index = JSON.parse(site.file(address)?.body.toString() ?? '[]');
  const titlesOf = (text: string) => search(index, text).map(({ title }: { title: string }) => title);

  test('finds by words, names, paths and fields, and only where all words are', () => {
    expect(titlesOf('lending')).toEqual(['Lending']);
    expect(titlesOf('createLibraryBook')[0]).toBe('Add a book');
    expect(titlesOf('POST /libraries/{library}/books')).toContain('Add a book');
    expect(titlesOf('title').length).toBeGreaterThan(0);
    expect(titlesOf('book nonsense-word')).toEqual([]);
    expect(titlesOf('  ')).toEqual([]);
  });
});

describe('markup', () => {
  test('escapes what is put in, and only that', () => {
    expect(html`<p title="${'"\'<&>'}">${[html`<b>x</b>`, ' ', 7, undefined]}</p>`.text).toBe(
      '<p title="&quot;&#39;&lt;&amp;&gt;"><b>x</b> 7</p>',
    );
    expect(inline('a `<b>` c').text).toBe('a <code>&lt;b&gt;</code> c');
  });
});

describe('examples', () => {
  const table = [
    { name: 'its own', given: z.string().meta({ examples: ['x'] }), expect: 'x' },
    { name: 'a default', given: z.string().default('d'), expect: 'd' },
    { name: 'the first of an enumeration', given: z.enum(['a', 'b']), expect: 'a' },
    { name: 'a literal', given: z.literal(7), expect: 7 },
    { name: 'the first alternative', given: z.union([z.boolean(), z.string()]), expect: true },
    { name: 'required members', given: z.object({ a: z.int().min(3), b: z.string().optional() }), expect: { a: 3 } },
    { name: 'a list of one', given: z.array(z.email()), expect: ['anne@example.com'] },
    { name: 'null', given: z.null(), expect: null },
    {
      name: 'what the name of a text says, where the schema allows it',
      given: z.object({
        email: z.string(),
        roleId: z.string(),
        createdAt: z.string().max(10),
        slug: z.string().regex(/^x/),
      }),
      expect: {
        email: 'anne@example.com',
        roleId: '0198a2f4-7c1e-7d3a-9b1e-5f6c7d8e9f00',
        createdAt: 'text',
        slug: 'text',
      },
    },
  ];
  test.each(table)('take $name', ({ given, expect: expected }) => {
    expect(exampleOf(z.toJSONSchema(given, { io: 'input' }) as Record<string, unknown>, resolver({}))).toEqual(
      expected,
    );
  });

  test('end where a schema contains itself', () => {
    const schemas = {
      Tree: { type: 'object', required: ['child'], properties: { child: { $ref: '#/components/schemas/Tree' } } },
    };
    expect(JSON.stringify(exampleOf({ $ref: '#/components/schemas/Tree' }, resolver(schemas)))).toContain('null');
  });
});
