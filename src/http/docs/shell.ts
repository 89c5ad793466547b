import { html, type Markup } from './markup.ts';

/** A link in the list of pages. */
export interface PageLink {
  readonly url: string;
  readonly title: string;
  readonly lead?: string;
}

/** What all pages of one site share. */
export interface Frame {
  readonly title: string;
  readonly version: string;
  /** Before every address: the path below which the service stands, or nothing. */
  readonly base: string;
  readonly groups: readonly { readonly title: string; readonly pages: readonly PageLink[] }[];
  /** Addresses below the base. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  readonly index: string;
}

export interface PageContent {
  readonly url: string;
  readonly title: string;
  readonly content: Markup;
  /** Parts of this page, shown below its own link. */
  readonly parts?: readonly { readonly id: string; readonly title: string }[];
}

/** Scripts, styles and the index of the search come from here, and nothing from anywhere else. */
export const docsPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Written so that the bundler finds no end of a script in this template, for which it would want a package of its own. */
const scriptName = 'script';

/** One page in its frame: search above, all pages beside. */
export function framed(frame: Frame, page: PageContent): string {
  const { title, version, base, groups } = frame;
  const heading = page.url === '/docs' ? `${title} documentation` : `${page.title} - ${title}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title><link rel="icon" href="${base}${frame.icon}"><link rel="stylesheet" href="${base}${frame.style}"><script type="module" src="${base}${frame.script}"></${scriptName}></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="${base}/docs">${title}</a><span class="version">${version}</span>
<form class="search" role="search" data-index="${base}${frame.index}" data-base="${base}" hidden><input type="search" name="q" autocomplete="off" placeholder="Search the documentation" aria-label="Search operations, fields and guides"><div class="found" hidden></div></form></header>
<div class="layout"><nav aria-label="Pages"><details open><summary>All pages</summary>
${groups.map((group) => html`<h2>${group.title}</h2><ul>${group.pages.map((each) => pageLink(each, page, base))}</ul>`)}
</details></nav><main id="content">${page.content}</main></div></body></html>`.text;
}

function pageLink({ url, title }: PageLink, page: PageContent, base: string): Markup {
  if (url !== page.url) return html`<li><a href="${base}${url}">${title}</a></li>`;
  const parts = page.parts ?? [];
  const below = parts.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>`);
  return html`<li><a href="${base}${url}" aria-current="page">${title}</a>${parts.length === 0 ? undefined : html`<ul>${below}</ul>`}</li>`;
}
