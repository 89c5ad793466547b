import { FixedHeaders, type HeaderBlock, headerBlock, headerPairs } from '../transport/header-block.ts';
import type { Outgoing, StreamSource } from '../transport/transport.ts';

/** An answer to one request. `T` is what its body says, checked against the endpoint's response schemas. */
export interface Reply<out T = unknown> extends Outgoing {
  /** Never there: it only carries the type. */
  readonly says?: T;
}

type Headers = Readonly<Record<string, string>> | undefined;

/** On every answer: no guessing of types, nothing kept by caches, no address handed to other sites. */
const always = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

/** Of what never changes under its address. */
const lastingHeaders = { ...always, 'cache-control': 'public, max-age=31536000, immutable' } as const;

/** The own origin may know where a form came from: without it browsers send `Origin: null`. */
const pageHeaders = { ...always, 'referrer-policy': 'same-origin' } as const;

/** Heads by type, made once. Types come from the code and not from requests, so that the map stays small. */
function headsWith(headers: Readonly<Record<string, string>>): (contentType: string) => HeaderBlock {
  const blocks = new Map<string, HeaderBlock>();
  return (contentType) => {
    let block = blocks.get(contentType);
    if (block === undefined) {
      block = headerBlock(contentType === '' ? headers : { 'content-type': contentType, ...headers });
      blocks.set(contentType, block);
    }
    return block;
  };
}

const blockFor = headsWith(always);
const lastingBlockFor = headsWith(lastingHeaders);
const pageBlock = headerBlock({ 'content-type': 'text/html; charset=utf-8', ...pageHeaders });
const jsonBlock = blockFor('application/json');
const emptyBlock = blockFor('');

/** @throws RangeError where a name or value cannot stand in a header */
function headerList(headers: Headers): readonly string[] | undefined {
  return headers === undefined ? undefined : headerPairs(headers);
}

/** A JSON answer. */
export function json<T>(status: number, value: T, headers?: Headers | FixedHeaders): Reply<T> {
  return jsonText(status, JSON.stringify(value), headers === undefined ? undefined : { headers });
}

export interface TextOptions {
  readonly contentType?: string;
  readonly headers?: Headers | FixedHeaders;
}

/** A JSON answer whose text is already made: for hot endpoints that write it by hand. */
export function jsonText(status: number, text: string, options?: TextOptions): Reply<never> {
  if (options === undefined) return { status, head: jsonBlock, more: undefined, body: text };
  const head = options.contentType === undefined ? jsonBlock : blockFor(options.contentType);
  const { headers } = options;
  if (headers instanceof FixedHeaders) return { status, head: head.with(headers), more: undefined, body: text };
  return { status, head, more: headerList(headers), body: text };
}

/** 204. */
export function noContent(headers?: Headers): Reply<never> {
  return { status: 204, head: emptyBlock, more: headerList(headers), body: undefined };
}

/** Text or bytes of any type. */
export function bytes(status: number, contentType: string, body: string | Uint8Array, headers?: Headers): Reply<never> {
  return { status, head: blockFor(contentType), more: headerList(headers), body };
}

/** @param location must already be allowed: nothing here knows which targets are */
export function redirect(status: 301 | 302 | 303 | 307 | 308, location: string): Reply<never> {
  return { status, head: emptyBlock, more: headerList({ location }), body: '' };
}

/** A body made while it is sent, such as an export: see `StreamSource` for how it ends. */
export function stream(contentType: string, source: StreamSource, headers?: Headers): Reply<never> {
  return { status: 200, head: blockFor(contentType), more: headerList(headers), body: source };
}

/** What never changes under its address, and may be kept by everybody for a year. */
export function lasting(contentType: string, body: string | Uint8Array): Reply<never> {
  return { status: 200, head: lastingBlockFor(contentType), more: undefined, body };
}

export interface PageOptions {
  /** Content-Security-Policy. Without it a page may load nothing at all. */
  readonly policy?: string;
  readonly status?: number;
  readonly headers?: Headers;
}

const strictPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An HTML page. */
export function page(markup: string | Uint8Array, options: PageOptions = {}): Reply<never> {
  const headers = { 'content-security-policy': options.policy ?? strictPolicy, ...options.headers };
  return { status: options.status ?? 200, head: pageBlock, more: headerList(headers), body: markup };
}

/** The same reply with more headers. */
export function withHeaders<T>(reply: Reply<T>, headers: Readonly<Record<string, string>> | FixedHeaders): Reply<T> {
  if (headers instanceof FixedHeaders) return { ...reply, head: reply.head.with(headers) };
  return { ...reply, more: [...(reply.more ?? []), ...headerPairs(headers)] };
}
