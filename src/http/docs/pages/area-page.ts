import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import { html, inline, type Markup } from '../markup.ts';
import type { PageContent } from '../shell.ts';
import type { Area } from './areas.ts';
import { operationView } from './operation-view.ts';
import { type Resolve, resolver } from './schema-example.ts';
import { schemaView } from './schema-view.ts';

/** The operations of an area, and below them the types that they speak of. */
export function areaPage(area: Area, document: OpenApiDocument): PageContent {
  const { tag, url, entries } = area;
  const { schemas } = document.components;
  const resolve = resolver(schemas);
  const baseUrl = document.servers[0]?.url ?? '';
  const types = [...namesBelow(entries, schemas)].toSorted();
  const content = html`<h1>${tag.name}</h1>
${tag.description === undefined ? undefined : html`<p class="lead">${inline(tag.description)}</p>`}
<p class="note"><code>{tenant}</code> and <code>{orgId}</code> are the slug of the organization. Where there are two paths, both work on the same data.</p>
${entries.map((entry) => operationView(entry, baseUrl, resolve))}
${types.length === 0 ? undefined : html`<h2 id="types">Types</h2>${types.map((name) => typeView(name, schemas[name] ?? {}, resolve))}`}`;
  const parts = entries.map(({ id, forms }) => ({ id, title: forms[0].operation.summary }));
  return { url, title: tag.name, parts, content };
}

function typeView(name: string, schema: JsonSchema, resolve: Resolve): Markup {
  const { description, ...rest } = schema;
  return html`<section id="type-${name}" class="type-view"><h3><a href="#type-${name}">${name}</a></h3>
${typeof description === 'string' ? html`<p>${inline(description)}</p>` : undefined}${schemaView(rest, resolve)}</section>`;
}

/** Names of all schemas that something refers to, themselves and through each other. */
function namesBelow(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): Set<string> {
  const names = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name) || name === 'Problem') continue;
      names.add(name);
      visit(JSON.stringify(schemas[name] ?? {}));
    }
  };
  visit(JSON.stringify(value));
  return names;
}
