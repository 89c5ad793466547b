import { request as requestHttp } from 'node:http';
import { CookieJar } from './cookie-jar.ts';
import { readHtml } from './html.ts';
import { type Departure, type Field, type Form, findButton, Page, type Step } from './page.ts';

export interface FormBrowserOptions {
  /** Where the service believes to be reached, such as `https://id.example.test`. */
  readonly origin: string;
  /** Where it listens, if that is another address. */
  readonly listensAt?: string;
  readonly userAgent?: string;
  /** `Accept-Language` */
  readonly language?: string;
  /** Sent as `X-Forwarded-For`, for a service that trusts the loopback as a proxy. */
  readonly address?: string;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The origin of another site that began the request; cookies are sent as browsers send them then. */
  readonly from?: string;
  /** Sends all cookies even then, as a browser does that knows no SameSite. */
  readonly forgetsSameSite?: boolean;
}

export interface SubmitOptions extends RequestOptions {
  /** A button by its name, its value or what stands on it; otherwise the first of the form. */
  readonly button?: string;
  /** What no user could fill in: fields changed against the form, or taken away by undefined. */
  readonly tampered?: Readonly<Record<string, string | undefined>>;
}

export type Filled = Readonly<Record<string, string | boolean>>;

const REDIRECTS_MAX = 12;

/**
 * A browser without scripts: cookies, redirects, links and forms, over real HTTP. It stops where the service sends it
 * elsewhere, as to a redirect URI, and tells where that was.
 */
export class FormBrowser {
  readonly cookies = new CookieJar();
  readonly #origin: string;
  readonly #options: FormBrowserOptions;

  constructor(options: FormBrowserOptions) {
    this.#options = options;
    this.#origin = new URL(options.origin).origin;
  }

  /** Opens an address, given as a path or in full, and follows where it leads. */
  open(address: string | URL, options: RequestOptions = {}): Promise<Page> {
    const url = new URL(address, this.#origin);
    return this.#follow({ method: 'GET', url, fields: new URLSearchParams() }, options, []);
  }

  /** Comes from another site that has sent the browser here, with what it sends along. */
  arrive({ method, url, fields }: Departure, from: string): Promise<Page> {
    return this.#follow({ method, url, fields }, { from }, []);
  }

  /** Posts fields without a form. */
  post(address: string | URL, fields: Readonly<Record<string, string>>, options: RequestOptions = {}): Promise<Page> {
    const url = new URL(address, this.#origin);
    return this.#follow({ method: 'POST', url, fields: new URLSearchParams(fields) }, options, []);
  }

  /** Fills in the form of the page that has these fields, and sends it. */
  async submit(page: Page, values: Filled = {}, options: SubmitOptions = {}): Promise<Page> {
    const form = page.form(Object.keys(values), options.button);
    const button = options.button === undefined ? form.buttons[0] : findButton(form, options.button);
    const fields = filled(form, values);
    if (button?.name !== undefined) fields.append(button.name, button.value);
    for (const [name, value] of Object.entries(options.tampered ?? {})) {
      if (value === undefined) fields.delete(name);
      else fields.set(name, value);
    }
    const url = new URL(button?.action ?? form.action, page.url);
    if (url.origin !== this.#origin) return new Page(page.steps, '', { method: form.method, url, fields });
    if (form.method === 'GET') url.search = fields.toString();
    return this.#follow({ method: form.method, url, fields }, options, []);
  }

  /** Follows a link of the page by its text. */
  click(page: Page, text: string | RegExp): Promise<Page> {
    return this.open(new URL(page.link(text).href, page.url));
  }

  async #follow(going: Departure, options: RequestOptions, before: readonly Step[]): Promise<Page> {
    const { method, url, fields } = going;
    const last = before.at(-1);
    if (url.origin !== this.#origin) {
      if (last === undefined) throw new Error(`${url} is not of this service`);
      return new Page(before, '', going);
    }
    if (before.length > REDIRECTS_MAX)
      throw new Error(`too many redirects: ${before.map((step) => step.url).join(' ')}`);
    const { status, headers, body } = await this.#send(method, url, fields, options);
    this.cookies.take(url, headers.getSetCookie());
    const steps = [...before, { method, url, status, headers }];
    const location = status >= 300 && status <= 399 ? headers.get('location') : refreshOf(body);
    if (location === null) return new Page(steps, body);
    const next = new URL(location, url);
    const keepsMethod = status === 307 || status === 308;
    const onwards: Departure = keepsMethod ? { method, url: next, fields } : { method: 'GET', url: next, fields: none };
    return this.#follow(onwards, options, steps);
  }

  #send(method: 'GET' | 'POST', url: URL, fields: URLSearchParams, options: RequestOptions) {
    const crossSite = options.from !== undefined && options.forgetsSameSite !== true;
    const cookie = this.cookies.header(url, { crossSite, method });
    const body = method === 'POST' ? fields.toString() : undefined;
    const headers: Record<string, string> = {
      accept: 'text/html,application/xhtml+xml',
      'user-agent': this.#options.userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(this.#options.language === undefined ? {} : { 'accept-language': this.#options.language }),
      'sec-fetch-site': options.from !== undefined ? 'cross-site' : method === 'POST' ? 'same-origin' : 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...(this.#options.address === undefined ? {} : { 'x-forwarded-for': this.#options.address }),
      ...(cookie === '' ? {} : { cookie }),
      ...(body === undefined
        ? {}
        : {
            origin: options.from ?? this.#origin,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(body)),
          }),
      host: url.host,
      ...options.headers,
    };
    return send(new URL(url.pathname + url.search, this.#options.listensAt ?? this.#origin), method, headers, body);
  }
}

const none = new URLSearchParams();

/** Where a page leads on to by itself. */
function refreshOf(html: string): string | null {
  for (const piece of readHtml(html)) {
    if (piece.kind !== 'open' || piece.name !== 'meta') continue;
    if (piece.attributes.get('http-equiv')?.toLowerCase() !== 'refresh') continue;
    return /^0; url=(.+)$/.exec(piece.attributes.get('content') ?? '')?.[1] ?? null;
  }
  return null;
}

function filled(form: Form, values: Filled): URLSearchParams {
  const fields = new URLSearchParams();
  for (const field of form.fields) {
    if (field.name === '') continue;
    const value = sentBy(field, values[field.name]);
    if (value !== undefined) fields.append(field.name, value);
  }
  return fields;
}

/** What a field sends. A box is ticked by true; of radio buttons that one is chosen whose value is given. */
function sentBy(field: Field, wish: string | boolean | undefined): string | undefined {
  if (field.type === 'checkbox') return (wish ?? field.isChecked) !== false ? field.value : undefined;
  if (field.type === 'radio')
    return (wish === undefined ? field.isChecked : wish === field.value) ? field.value : undefined;
  if (field.type === 'select' && wish !== undefined && !field.options.includes(String(wish))) {
    throw new Error(`${field.name} offers ${field.options.join(', ')}, not ${wish}`);
  }
  return wish === undefined ? field.value : String(wish);
}

/** Over node:http, because fetch sets headers of its own that a browser would not. */
function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = new Headers();
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          all.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '');
        }
        resolve({ status: response.statusCode ?? 0, headers: all, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
