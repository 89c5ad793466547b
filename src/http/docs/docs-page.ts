import { createHash } from 'node:crypto';
import type { OpenApiDocument, TagInfo } from '../openapi/openapi.ts';
import { docsStyle } from './docs-style.ts';
import { html, inline, Markup, prose } from './markup.ts';
import { type DescribedOperation, operationView } from './operation-view.ts';
import { resolver } from './schema-example.ts';

export interface DocsPage {
  readonly markup: string;
  /** Content-Security-Policy: this style and nothing else, from nowhere. */
  readonly policy: string;
}

/** The reference as one page of HTML, made once from the same document that `/openapi.json` serves. No scripts. */
export function docsPage(document: OpenApiDocument): DocsPage {
  const { info, tags } = document;
  const operations = operationsOf(document);
  const resolve = resolver(document.components.schemas);
  const baseUrl = document.servers[0]?.url ?? '';
  const sections = tags.map(
    (tag) => html`<section id="${anchorOf(tag)}"><h2>${tag.name}</h2>
${tag.description === undefined ? undefined : html`<p class="lead">${inline(tag.description)}</p>`}
${operations.filter(({ operation }) => operation.tags[0] === tag.name).map((one) => operationView(one, baseUrl, resolve))}</section>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: API reference</title><style>${new Markup(docsStyle)}</style></head>
<body><div class="layout"><nav aria-label="Operations"><a class="brand" href="#top">${info.title}</a><span class="version">${info.version}</span>
${tags.map((tag) => navigation(tag, operations))}</nav>
<main id="top"><h1>${info.title}</h1><div class="lead">${prose(info.description)}
<p>The same as <a href="/openapi.json"><code>OpenAPI 3.1</code></a>.</p></div>
${sections}</main></div></body></html>`;
  const hash = createHash('sha256').update(docsStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { markup: page.text, policy };
}

function operationsOf(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function navigation(tag: TagInfo, operations: readonly DescribedOperation[]): Markup {
  const items = operations
    .filter(({ operation }) => operation.tags[0] === tag.name)
    .map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span><span>${operation.summary}</span></a></li>`,
    );
  return html`<h2><a href="#${anchorOf(tag)}">${tag.name}</a></h2><ul>${items}</ul>`;
}

function anchorOf({ name }: TagInfo): string {
  return `tag-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
