import { type Piece, readHtml } from './html.ts';

export interface Field {
  readonly name: string;
  /** The type of an input; otherwise the element: select, textarea. */
  readonly type: string;
  readonly value: string;
  readonly isChecked: boolean;
  readonly autocomplete: string;
  /** Of a select: the values that can be chosen. */
  readonly options: readonly string[];
}

export interface Button {
  readonly text: string;
  readonly name: string | undefined;
  readonly value: string;
  readonly action: string | undefined;
}

export interface Form {
  readonly id: string;
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly fields: readonly Field[];
  readonly buttons: readonly Button[];
}

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** One request of the browser and its answer. */
export interface Step {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
}

/** Where the browser was sent outside of the service, and with what. */
export interface Departure {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly fields: URLSearchParams;
}

/** What the browser shows. */
export class Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Every request that led here, the last one included. */
  readonly steps: readonly Step[];
  readonly departure: Departure | undefined;
  readonly title: string;
  readonly heading: string;
  /** All that can be read on it, in one line. */
  readonly text: string;
  readonly forms: readonly Form[];
  readonly links: readonly Link[];

  constructor(steps: readonly Step[], html: string, departure?: Departure) {
    const last = steps.at(-1);
    if (last === undefined) throw new Error('a page without a request');
    this.url = last.url;
    this.status = last.status;
    this.headers = last.headers;
    this.steps = steps;
    this.html = html;
    this.departure = departure;
    const isHtml = (last.headers.get('content-type') ?? '').startsWith('text/html');
    const pieces = isHtml ? readHtml(html) : [];
    this.title = textWithin(pieces, 'title')[0]?.text ?? '';
    this.heading = textWithin(pieces, 'h1')[0]?.text ?? '';
    this.text = squeezed(pieces.map((piece) => (piece.kind === 'text' ? piece.text : ' ')).join(''));
    this.links = textWithin(pieces, 'a').map(({ text, open }) => ({ text, href: open.get('href') ?? '' }));
    this.forms = formsOf(pieces);
  }

  /** Where the browser was sent outside of the service. @throws where it was not */
  get left(): Departure {
    if (this.departure === undefined) throw new Error(`the browser is still at ${this.describe()}`);
    return this.departure;
  }

  /** The only form that has all these fields and, where one is named, this button. */
  form(names: readonly string[] = [], button?: string): Form {
    const fitting = this.forms.filter(
      (form) =>
        names.every((name) => form.fields.some((field) => field.name === name)) &&
        (button === undefined || findButton(form, button) !== undefined),
    );
    const [form, second] = fitting;
    if (form !== undefined && second === undefined) return form;
    throw new Error(`${fitting.length} forms with [${names}] ${button ?? ''} at ${this.describe()}`);
  }

  link(text: string | RegExp): Link {
    const found = this.links.find((link) => (typeof text === 'string' ? link.text === text : text.test(link.text)));
    if (found === undefined) throw new Error(`no link ${text} at ${this.describe()}`);
    return found;
  }

  /** For messages of failing tests. */
  describe(): string {
    const forms = this.forms.map(({ action, fields, buttons }) => {
      const names = fields.map(({ name }) => name).join(', ');
      return `\n  form ${action}: [${names}] ${buttons.map(({ text }) => `(${text})`).join(' ')}`;
    });
    const links = this.links.map(({ text, href }) => `\n  link ${text}: ${href}`);
    return `${this.status} ${this.url} "${this.title}" ${this.text.slice(0, 600)}${forms.join('')}${links.join('')}`;
  }
}

/** By its name, its value or what stands on it. */
export function findButton({ buttons }: Form, wish: string): Button | undefined {
  return buttons.find(({ name, value, text }) => [name, value, text].includes(wish));
}

function formsOf(pieces: readonly Piece[]): Form[] {
  const drafts: (Omit<Form, 'fields' | 'buttons'> & { fields: Field[]; buttons: Button[] })[] = [];
  let open: (typeof drafts)[number] | undefined;
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'close' && piece.name === 'form') open = undefined;
    if (piece.kind !== 'open') continue;
    const { name: element, attributes } = piece;
    if (element === 'form') {
      const method = attributes.get('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET';
      const action = attributes.get('action') ?? '';
      open = { id: attributes.get('id') ?? '', action, method, fields: [], buttons: [] };
      drafts.push(open);
    }
    if (attributes.has('disabled')) continue;
    const owner = attributes.has('form') ? drafts.find(({ id }) => id === attributes.get('form')) : open;
    if (isButton(element, attributes)) owner?.buttons.push(buttonOf(pieces, at, attributes));
    else if (['input', 'select', 'textarea'].includes(element)) owner?.fields.push(fieldOf(pieces, at, attributes));
  }
  return drafts;
}

function isButton(element: string, attributes: ReadonlyMap<string, string>): boolean {
  const type = attributes.get('type') ?? (element === 'button' ? 'submit' : 'text');
  return (element === 'button' || element === 'input') && (type === 'submit' || type === 'image');
}

function buttonOf(pieces: readonly Piece[], at: number, attributes: ReadonlyMap<string, string>): Button {
  const value = attributes.get('value') ?? '';
  const inside = textFrom(pieces, at, 'button');
  return {
    text: inside || (attributes.get('aria-label') ?? value),
    name: attributes.get('name'),
    value,
    action: attributes.get('formaction'),
  };
}

function fieldOf(pieces: readonly Piece[], at: number, attributes: ReadonlyMap<string, string>): Field {
  const piece = pieces[at];
  const element = piece?.kind === 'open' ? piece.name : '';
  const common = { name: attributes.get('name') ?? '', autocomplete: attributes.get('autocomplete') ?? '' };
  const plain = { ...common, type: element, isChecked: false, options: [] };
  if (element === 'textarea') return { ...plain, value: textFrom(pieces, at, 'textarea') };
  if (element === 'select') {
    const options = optionsFrom(pieces, at);
    const chosen = options.find(({ has }) => has('selected')) ?? options[0];
    return { ...plain, value: chosen?.value ?? '', options: options.map(({ value }) => value) };
  }
  const type = attributes.get('type') ?? 'text';
  const value = attributes.get('value') ?? (type === 'checkbox' || type === 'radio' ? 'on' : '');
  return { ...plain, type, value, isChecked: attributes.has('checked') };
}

function optionsFrom(pieces: readonly Piece[], at: number) {
  const end = pieces.findIndex((piece, place) => place > at && piece.kind === 'close' && piece.name === 'select');
  return textWithin(pieces.slice(at, end), 'option').map(({ text, open }) => ({
    value: open.get('value') ?? text,
    has: (name: string) => open.has(name),
  }));
}

/** Every element of that name with the text in it. */
function textWithin(pieces: readonly Piece[], name: string) {
  return [...pieces.entries()].flatMap(([at, piece]) =>
    piece.kind === 'open' && piece.name === name
      ? [{ open: piece.attributes, text: textFrom(pieces, at, name) || (piece.attributes.get('aria-label') ?? '') }]
      : [],
  );
}

function textFrom(pieces: readonly Piece[], at: number, name: string): string {
  const texts: string[] = [];
  for (const piece of pieces.slice(at + 1)) {
    if (piece.kind === 'close' && piece.name === name) break;
    texts.push(piece.kind === 'text' ? piece.text : ' ');
  }
  return squeezed(texts.join(''));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
