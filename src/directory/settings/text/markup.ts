/** Elements that show something and do nothing, and the attributes that each may have beside those of all. */
const elements: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  abbr: [],
  b: [],
  blockquote: [],
  br: [],
  code: [],
  div: [],
  em: [],
  footer: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  header: [],
  hr: [],
  i: [],
  img: ['src', 'alt', 'width', 'height'],
  li: [],
  ol: [],
  p: [],
  pre: [],
  section: [],
  small: [],
  span: [],
  strong: [],
  sub: [],
  sup: [],
  table: [],
  tbody: [],
  td: [],
  th: [],
  thead: [],
  tr: [],
  u: [],
  ul: [],
};
const attributesOfAll = ['class', 'title', 'lang', 'dir'];
const emptyElements = new Set(['br', 'hr', 'img']);
const addresses: Readonly<Record<string, RegExp>> = {
  href: /^(?:https:\/\/|mailto:)[^\s\p{Cc}]*$/iu,
  src: /^https:\/\/[^\s\p{Cc}]*$/iu,
};

const tag = /<(?:\/([a-z][a-z0-9]*)\s*|([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)\s*\/?)>/giy;
const attribute = /([a-z-]+)="([^"]*)"/gi;

/**
 * Why an organization's markup cannot stand in the service's pages; `undefined` where it can. It is refused and not
 * cleaned: what is kept is what was written, and there is no cleaner to be outwitted. Only a small grammar is accepted,
 * in which every browser reads the same: known elements, quoted attributes, each element closed in its turn.
 */
export function markupFault(html: string): string | undefined {
  const open: string[] = [];
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    tag.lastIndex = at;
    const found = tag.exec(html);
    if (found === null) return 'must not contain "<" but in a tag with quoted attributes; write &lt;';
    const [whole, closed, opened = '', attributes = ''] = found;
    const fault = closed === undefined ? openingFault(opened.toLowerCase(), attributes) : closingFault(closed, open);
    if (fault !== undefined) return fault;
    if (closed === undefined && !emptyElements.has(opened.toLowerCase())) open.push(opened.toLowerCase());
    at += whole.length;
  }
  return open.length === 0 ? undefined : `has a <${open.at(-1)}> that is not closed`;
}

function openingFault(name: string, attributes: string): string | undefined {
  const own = Object.hasOwn(elements, name) ? elements[name] : undefined;
  if (own === undefined) return `must not contain <${name}>`;
  for (const [, attributeName = '', value = ''] of attributes.matchAll(attribute)) {
    const known = attributeName.toLowerCase();
    if (!own.includes(known) && !attributesOfAll.includes(known)) return `must not contain ${known} at <${name}>`;
    if (addresses[known]?.test(value.replaceAll('&amp;', '&')) === false) return `has a ${known} that is no https URL`;
    // a character reference could write what the address check did not see
    if (Object.hasOwn(addresses, known) && /&(?!amp;)[#\w]+;?/.test(value)) return `has a ${known} with references`;
  }
  return undefined;
}

function closingFault(closed: string, open: string[]): string | undefined {
  const name = closed.toLowerCase();
  return open.pop() === name ? undefined : `has a </${name}> that closes nothing`;
}
