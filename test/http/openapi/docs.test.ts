import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { docsPage } from '../../../src/http/docs/docs-page.ts';
import { html, inline } from '../../../src/http/docs/markup.ts';
import { exampleOf, resolver } from '../../../src/http/docs/schema-example.ts';
import { endpointFor, json, openApiDocument } from '../../../src/http/index.ts';
import { libraryEndpoints } from '../application/library-endpoints.ts';

const api = {
  title: 'Library',
  version: '1',
  description: 'Books & `more`.',
  baseUrl: 'https://library.example',
  tags: [],
};
const { markup, policy } = docsPage(openApiDocument(libraryEndpoints(), api));

describe('the reference', () => {
  test('needs no other host and no script', () => {
    expect(markup).not.toMatch(/<script|<link|<img|@import|url\(|javascript:|\son\w+=/i);
    const hosts = [...markup.matchAll(/https?:\/\/([^/'"&\s<]+)/g)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['library.example']));
    expect(markup).not.toMatch(/\sstyle=/);
  });

  test('is allowed its own style, by its hash, and nothing else', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(markup)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(style).toContain('prefers-color-scheme:dark');
  });

  test('has every operation once, and links that lead somewhere', () => {
    const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of markup.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(markup.match(/<article /g)).toHaveLength(libraryEndpoints().length);
  });

  test('shows parameters, bodies, answers, problems and a line to try', () => {
    for (const text of [
      'query',
      'As printed.',
      'It was added.',
      'malformed_json',
      'books:write',
      'deprecated',
      'Middlemarch',
    ]) {
      expect(markup).toContain(text);
    }
    expect(markup).toContain('curl -X POST &#39;https://library.example/libraries/{library}/books&#39;');
    expect(markup).toContain('-H &quot;Authorization: Bearer $RELATA_KEY&quot;');
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
    const page = docsPage(openApiDocument([tuples], api)).markup;
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
      tags: ['<i>'],
      access: 'public',
      responses: { 200: z.strictObject({ a: z.string().describe('<u>') }) },
      handler: () => json(200, { a: '' }),
    });
    const page = docsPage(openApiDocument([evil], { ...api, title: '</title><script>' })).markup;
    expect(page).not.toMatch(/<script|<i>|<b>|<u>/);
    expect(page).toContain('<code>&lt;b&gt;</code>');
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
