/** A piece of a page: text, or the beginning or end of an element. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

const TAG = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Reads well-formed HTML as the service writes it. What stands in scripts and style sheets is no text of the page. */
export function readHtml(html: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let hiddenIn: string | undefined;
  const text = (end: number): void => {
    if (hiddenIn === undefined && end > at) pieces.push({ kind: 'text', text: decoded(html.slice(at, end)) });
  };
  for (const match of html.matchAll(TAG)) {
    const name = match[2]?.toLowerCase();
    if (hiddenIn !== undefined && !(name === hiddenIn && match[1] === '/')) continue;
    text(match.index);
    at = match.index + match[0].length;
    hiddenIn = undefined;
    if (name === undefined) continue;
    if (match[1] === '/') pieces.push({ kind: 'close', name });
    else pieces.push({ kind: 'open', name, attributes: attributesOf(match[3] ?? '') });
    if (match[1] === '' && (name === 'script' || name === 'style')) hiddenIn = name;
  }
  text(html.length);
  return pieces;
}

function attributesOf(text: string): Map<string, string> {
  const pairs = [...text.matchAll(ATTRIBUTE)].map(
    ([, name = '', double, single, bare]) =>
      [name.toLowerCase(), decoded(double ?? single ?? bare ?? '')] as [string, string],
  );
  return new Map(pairs);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return named[String(name)] ?? whole;
  });
}
