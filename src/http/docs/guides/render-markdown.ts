import { Marked } from 'marked';
import { html, Markup } from '../markup.ts';

export interface RenderedMarkdown {
  readonly markup: Markup;
  /** Of the second level. */
  readonly headings: readonly { readonly id: string; readonly title: string }[];
}

/**
 * A document of this package as HTML. It is trusted: its HTML, if it has any, stays.
 * @param resolve the address of what a relative link leads to
 */
export function renderMarkdown(text: string, resolve: (target: string) => string): RenderedMarkdown {
  const headings: { id: string; title: string }[] = [];
  const ids = new Set<string>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const title = inner.replaceAll(/<[^>]+>/g, '');
        const id = freeId(slugOf(title), ids);
        if (depth === 2) headings.push({ id, title: plainText(title) });
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = /^(?:[a-z]+:|#|\/)/.test(href) ? href : resolve(href);
        return html`<a href="${target}">${new Markup(inner)}</a>`.text;
      },
      code({ text: code }) {
        // wide code is scrolled, with the keyboard too
        return html`<pre tabindex="0"><code>${code}</code></pre>`.text;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  return { markup: new Markup(marked.parse(text, { async: false })), headings };
}

/** As GitHub makes it, so that a link to a heading works in both. */
function slugOf(title: string): string {
  return plainText(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function freeId(slug: string, taken: Set<string>): string {
  let id = slug;
  for (let count = 1; taken.has(id); count++) id = `${slug}-${count}`;
  taken.add(id);
  return id;
}

function plainText(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
