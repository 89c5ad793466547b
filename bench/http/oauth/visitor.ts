import { Agent, type IncomingMessage, request } from 'node:http';
import type { BenchPerson } from './registered.ts';

export interface Visited {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** A browser as far as signing in needs one: cookies, hidden fields, few connections; it follows nothing by itself. */
export class Visitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #cookies = new Map<string, string>();
  readonly #issuer: string;

  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  /** From the first page to the session. Throws where it does not come to that. */
  async signIn({ email, password }: BenchPerson): Promise<void> {
    const begun = await this.open(`${this.#issuer}/signin`);
    const page = await this.open(new URL(begun.location, this.#issuer).href);
    const fields = { ...hiddenFields(page.text), identifier: email, password, way: 'password' };
    const done = await this.send(`${this.#issuer}/signin`, fields);
    if (done.status === 303 && done.location.endsWith('/account')) return;
    throw new Error(`${email} was not signed in: ${done.status} ${done.location} ${textOf(done.text).slice(0, 300)}`);
  }

  open(url: string): Promise<Visited> {
    return this.#ask('GET', url);
  }

  send(url: string, fields: Readonly<Record<string, string>>): Promise<Visited> {
    return this.#ask('POST', url, new URLSearchParams(fields).toString());
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(method: string, url: string, body?: string): Promise<Visited> {
    const headers = {
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body === undefined
        ? {}
        : {
            origin: new URL(url).origin,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(body)),
          }),
    };
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, { method, agent: this.#agent, headers }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    for (const cookie of reply.headers['set-cookie'] ?? []) this.#keep(cookie);
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: reply.statusCode ?? 0, location: reply.headers.location ?? '', text };
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const equals = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
}

/** Of the first form: each has a token of its own. */
function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const [form = ''] = html.split('</form>');
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined) fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}
