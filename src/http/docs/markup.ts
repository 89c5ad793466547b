import { escapeHtml } from '../../platform/index.ts';

/** HTML that is safe to put into a page as it is. Only `html` and `raw` make it, so that text cannot be mistaken for it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | undefined | readonly Piece[];

/** Writes markup; everything put in that is not markup itself is escaped. */
export function html(dependencies: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  let text = dependencies[0] ?? '';
  for (const [index, piece] of pieces.entries()) text += render(piece) + (dependencies[index + 1] ?? '');
  return new Markup(text);
}

function render(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(render).join('');
  return escapeHtml(String(piece));
}

/** Paragraphs, and code in backquotes: what descriptions use of Markdown. */
export function prose(text: string): Markup {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
  return html`${paragraphs}`;
}

export function inline(text: string): Markup {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${pieces}`;
}
