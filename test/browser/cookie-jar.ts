/** A cookie as it was set, with its attributes as a test may want to see them. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None' | undefined;
  /** In milliseconds; undefined lasts as long as the browser. */
  readonly expiresAt: number | undefined;
}

/** The cookies of one browser (RFC 6265bis), of hosts that share none with their subdomains. */
export class CookieJar {
  #cookies: Cookie[] = [];

  all(): readonly Cookie[] {
    this.#forgetExpired();
    return this.#cookies;
  }

  named(name: string | RegExp): Cookie | undefined {
    return this.all().find((cookie) => (typeof name === 'string' ? cookie.name === name : name.test(cookie.name)));
  }

  /** The header for a request. A request that another site began carries only what may cross sites. */
  header(url: URL, request: { readonly crossSite: boolean; readonly method: string }): string {
    const sent = this.all().filter(
      (cookie) =>
        cookie.host === url.hostname &&
        isWithin(url.pathname, cookie.path) &&
        (!cookie.secure || isTrustworthy(url)) &&
        (!request.crossSite || mayCross(cookie, request.method)),
    );
    // longer paths first, as browsers do
    return [...sent]
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Takes what an answer sets, and refuses what a browser would refuse. */
  take(url: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const cookie = parse(url, header);
      this.#cookies = this.#cookies.filter((old) => !isSame(old, cookie));
      this.#cookies.push(cookie);
    }
    this.#forgetExpired();
  }

  /** Puts a cookie in, as somebody does who has stolen or planted it. */
  plant(cookie: Cookie): void {
    this.#cookies = [...this.#cookies.filter((old) => !isSame(old, cookie)), cookie];
  }

  clear(): void {
    this.#cookies = [];
  }

  #forgetExpired(): void {
    const now = Date.now();
    this.#cookies = this.#cookies.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  }
}

function parse(url: URL, header: string): Cookie {
  const [pair = '', ...rest] = header.split(';').map((part) => part.trim());
  const attributes = new Map(rest.map((part) => [cut(part)[0].toLowerCase(), cut(part)[1]]));
  const [name, value] = cut(pair);
  const path = attributes.get('path') ?? '';
  const cookie: Cookie = {
    name,
    value,
    host: url.hostname,
    path: path.startsWith('/') ? path : defaultPath(url),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    sameSite: sameSiteOf(attributes.get('samesite')),
    expiresAt: expiryOf(attributes),
  };
  const fault = faultOf(url, cookie, attributes);
  if (fault !== undefined) throw new Error(`a browser refuses this cookie (${fault}): ${header}`);
  return cookie;
}

function faultOf(url: URL, cookie: Cookie, attributes: ReadonlyMap<string, string>): string | undefined {
  if (cookie.name === '' || /[\s;,=]/.test(cookie.name)) return 'its name';
  if (/[\s";,\\]/.test(cookie.value)) return 'its value';
  if (attributes.has('domain')) return 'it names a domain, and every host of it would read it';
  if (cookie.secure && !isTrustworthy(url)) return 'Secure over http';
  if (cookie.sameSite === 'None' && !cookie.secure) return 'SameSite=None without Secure';
  if (/^__Secure-/i.test(cookie.name) && !cookie.secure) return '__Secure- without Secure';
  if (/^__Host-/i.test(cookie.name) && !(cookie.secure && attributes.get('path') === '/')) return '__Host-';
  return undefined;
}

function cut(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function expiryOf(attributes: ReadonlyMap<string, string>): number | undefined {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1000;
  const expires = attributes.get('expires');
  return expires === undefined ? undefined : Date.parse(expires);
}

function sameSiteOf(text: string | undefined): Cookie['sameSite'] {
  return (['Strict', 'Lax', 'None'] as const).find((each) => each.toLowerCase() === text?.toLowerCase());
}

function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** Browsers take a loopback address for as safe as https. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}

function isSame(one: Cookie, other: Cookie): boolean {
  return one.name === other.name && one.host === other.host && one.path === other.path;
}

function mayCross({ sameSite }: Cookie, method: string): boolean {
  return sameSite === 'None' || (sameSite !== 'Strict' && method === 'GET');
}
