import type { Endpoint } from '../../../../src/http/index.ts';
import { languages } from '../../../../src/texts/index.ts';
import { type Filled, FormBrowser, type RequestOptions, type SubmitOptions } from '../../../browser/form-browser.ts';
import { type Piece, readHtml } from '../../../browser/html.ts';
import type { Departure, Page } from '../../../browser/page.ts';
import type { SignInSite } from '../../signin/world.ts';

type Entry = string | Readonly<Record<string, string>>;

const formsOf = (catalogue: Readonly<Record<string, Readonly<Record<string, Entry>>>>): string[] =>
  Object.values(catalogue).flatMap((area) =>
    Object.values(area).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry))),
  );

/** What stands between the parameters of texts. */
const partsOf = (forms: readonly string[]): string[] =>
  forms.flatMap((form) => form.split(/\{\w+\}/).map((part) => part.trim())).filter((part) => part !== '');

const german = partsOf(formsOf(languages.de));
const germanParts = new Set(german);
const english = [...new Set(partsOf(formsOf(languages.en)))].filter((part) => !germanParts.has(part));
/** Several words say where they are from; one alone could be a name. */
const phrases = english.filter((part) => /\p{L}+\s+\p{L}+/u.test(part) && !german.some((each) => each.includes(part)));
const whole = new Set(english);

/** Words that are English and nothing else, among those that every few sentences have. */
const words =
  /\b(?:the|your|you|this|that|with|and|for|from|are|is|be|been|must|can|cannot|of|to|it|not|has|have|there|other|again|enter|choose|already|only|sign)\b/i;

const readAloud = ['title', 'aria-label', 'alt', 'placeholder', 'data-copied', 'data-failed', 'data-heading'];

/** Texts of a page, and texts beside the page that people read or hear: without names of places in lists of zones. */
function* textsOf(pieces: readonly Piece[]): Generator<string> {
  let isZone = false;
  for (const piece of pieces) {
    if (piece.kind === 'open' && piece.name === 'option') {
      isZone = (piece.attributes.get('value') ?? '').includes('/');
    }
    if (piece.kind === 'close' && piece.name === 'option') isZone = false;
    if (piece.kind === 'text' && !isZone) yield piece.text;
    if (piece.kind !== 'open') continue;
    for (const name of readAloud) {
      const text = piece.attributes.get(name);
      if (text !== undefined) yield text;
    }
  }
}

/** What of these texts is English: texts of the English catalogue, and words of that language. */
export function englishIn(texts: Iterable<string>): string[] {
  const found: string[] = [];
  for (const given of texts) {
    const text = given.replace(/\s+/g, ' ').trim();
    if (text === '') continue;
    if (whole.has(text) || phrases.some((phrase) => text.includes(phrase)) || words.test(text)) found.push(text);
  }
  return found;
}

export function englishOn(page: Pick<Page, 'html'>): string[] {
  return englishIn(textsOf(readHtml(page.html)));
}

/** A browser that speaks German, of somebody who marks whatever is English on the pages that come. */
export class GermanReader extends FormBrowser {
  /** `GET /signin: Your password` */
  readonly english: string[] = [];
  readonly #visited: Set<string>;

  /** @param visited paths of pages, below any organization */
  constructor({ provider: { issuer, listensAt } }: SignInSite, visited: Set<string>) {
    super({ origin: new URL(issuer).origin, listensAt, language: 'de-DE,de;q=0.9,en;q=0.5' });
    this.#visited = visited;
  }

  override async open(address: string | URL, options?: RequestOptions): Promise<Page> {
    return this.#read(await super.open(address, options));
  }

  override async arrive(departure: Departure, from: string): Promise<Page> {
    return this.#read(await super.arrive(departure, from));
  }

  override async post(
    address: string | URL,
    fields: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Page> {
    return this.#read(await super.post(address, fields, options));
  }

  override async submit(page: Page, values?: Filled, options?: SubmitOptions): Promise<Page> {
    return this.#read(await super.submit(page, values, options));
  }

  #read(page: Page): Page {
    for (const { method, url } of page.steps) {
      if (method === 'GET') this.#visited.add(url.pathname.replace(/^\/orgs\/[^/]+/, ''));
    }
    if (page.departure !== undefined) return page;
    this.english.push(...englishOn(page).map((text) => `${page.steps.at(-1)?.method} ${page.url.pathname}: ${text}`));
    return page;
  }
}

/** What browsers and other services read. */
const forPrograms = ['/branding.css', '/signin/sent/state', '/api/v1/oauth/social/{provider}/metadata'];

/** Paths of pages that nobody has visited. */
export function unread(endpoints: readonly Endpoint[], visited: ReadonlySet<string>): string[] {
  const patterns = endpoints
    .filter(({ method, tags, path }) => method === 'GET' && tags.includes('Pages') && path.startsWith('/orgs/{orgId}/'))
    .map(({ path }) => path.replace('/orgs/{orgId}', ''))
    .filter((path) => !forPrograms.includes(path));
  if (patterns.length === 0) throw new Error('there are no pages');
  return patterns.filter((pattern) => {
    const shape = new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`);
    return ![...visited].some((path) => shape.test(path));
  });
}
