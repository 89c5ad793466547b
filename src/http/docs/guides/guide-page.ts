import { html } from '../markup.ts';
import type { PageContent } from '../shell.ts';
import { type GuideDocument, linkedDocument } from './documents.ts';
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts';

/** A document as a page, with links to other documents that work here. @param base before every address */
export function guidePage(document: GuideDocument, documents: readonly GuideDocument[], base: string): PageContent {
  const { url, title } = document;
  const { markup, headings } = rendered(document, documents, base);
  const next = nextGuide(document, documents);
  const onwards =
    next === undefined
      ? undefined
      : html`<p class="next"><a href="${base}${next.url}"><span>Next</span> ${next.title}</a></p>`;
  const content = html`<article class="prose"><h1>${title}</h1>${markup}${onwards}</article>`;
  return { url, title, parts: headings, content };
}

/** Guides are read one after the other; other documents are looked up. */
function nextGuide(document: GuideDocument, documents: readonly GuideDocument[]): GuideDocument | undefined {
  const guides = documents.filter(({ path }) => path.startsWith('guides/'));
  const index = guides.indexOf(document);
  return index === -1 ? undefined : guides[index + 1];
}

function rendered(document: GuideDocument, documents: readonly GuideDocument[], base: string): RenderedMarkdown {
  return renderMarkdown(document.text, (target) => {
    const [path = '', anchor] = target.split('#');
    const linked = linkedDocument(documents, document.path, path);
    const address = linked === undefined ? target : `${base}${linked.url}${anchor === undefined ? '' : `#${anchor}`}`;
    return address;
  });
}
