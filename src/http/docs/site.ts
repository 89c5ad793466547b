import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { defaultConfigFile } from '../../platform/index.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { type GuideDocument, readDocuments } from './guides/documents.ts';
import { guidePage } from './guides/guide-page.ts';
import { html, inline, type Markup, prose } from './markup.ts';
import { areaPage } from './pages/area-page.ts';
import { type Area, areasOf } from './pages/areas.ts';
import { searchIndex } from './search-index.ts';
import { type Frame, framed, type PageContent, type PageLink } from './shell.ts';

/** A file of the site that keeps its content under its name. */
export interface SiteFile {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The reference and the guides: made from the document that `/openapi.json` serves, and from `src/docs`. */
export interface DocsSite {
  /** By its address: `/docs`, `/docs/reference/users`, `/docs/guides/roles`. Each is made when it is first asked for. */
  page(url: string): Buffer | undefined;
  /** Style, script and index of the search, by their addresses. */
  file(url: string): SiteFile | undefined;
  /** Addresses of all pages. */
  readonly urls: readonly string[];
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export function docsSite(document: OpenApiDocument, documents: readonly GuideDocument[] = readDocuments()): DocsSite {
  const areas = areasOf(document);
  const files = new Map<string, SiteFile>();
  const add = (name: string, text: string): string => {
    const type = extname(name);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const url = `/docs/assets/${name.slice(0, -type.length)}-${hash}${type}`;
    files.set(url, { contentType: contentTypes[type] ?? 'text/plain', body: Buffer.from(text) });
    return url;
  };
  const { title, version } = document.info;
  const frame: Frame = {
    title,
    version,
    base: new URL(document.servers[0]?.url ?? 'http://localhost').pathname.replace(/\/$/, ''),
    groups: groupsOf(areas, documents),
    style: add('docs.css', assetText('docs.css')),
    script: add('docs.js', assetText('docs.js')),
    icon: add('icon.svg', assetText('icon.svg')),
    index: add('search.json', JSON.stringify(searchIndex(areas, documents, document))),
  };
  const makers = new Map<string, () => PageContent>([
    ['/docs', () => homePage(document, frame)],
    ...areas.map((area): [string, () => PageContent] => [area.url, () => areaPage(area, document)]),
    ...documents.map((each): [string, () => PageContent] => [each.url, () => guidePage(each, documents, frame.base)]),
  ]);
  const made = new Map<string, Buffer>();
  return {
    urls: [...makers.keys()],
    file: (url) => files.get(url),
    page(url) {
      const known = made.get(url);
      const make = makers.get(url);
      if (known !== undefined || make === undefined) return known;
      const body = Buffer.from(framed(frame, make()));
      made.set(url, body);
      return body;
    },
  };
}

function groupsOf(areas: readonly Area[], documents: readonly GuideDocument[]): Frame['groups'] {
  const isIn = (folder: string) => documents.filter(({ url }) => url.startsWith(`/docs/${folder}/`));
  const reference = areas.map(
    ({ tag, url }): PageLink => ({
      url,
      title: tag.name,
      ...(tag.description === undefined ? {} : { lead: tag.description }),
    }),
  );
  return [
    { title: 'Guides', pages: isIn('guides') },
    { title: 'Reference', pages: reference },
    { title: 'More', pages: isIn('documents') },
  ].filter(({ pages }) => pages.length > 0);
}

function homePage({ info }: OpenApiDocument, { groups, base }: Frame): PageContent {
  const content = html`<h1>${info.title}</h1><div class="lead">${prose(info.description)}
<p>To generate a client, use <a href="${base}/openapi.json">OpenAPI 3.1</a>.</p></div>
${groups.map(({ title, pages }) => html`<h2>${title}</h2><ul class="cards">${pages.map((page) => card(page, base))}</ul>`)}`;
  return { url: '/docs', title: info.title, content };
}

function card({ url, title, lead }: PageLink, base: string): Markup {
  return html`<li><a href="${base}${url}"><strong>${title}</strong>${lead === undefined ? undefined : html`<span>${inline(lead)}</span>`}</a></li>`;
}

function assetText(name: string): string {
  return readFileSync(join(dirname(dirname(defaultConfigFile())), 'assets', name), 'utf8');
}
