import { OutboundError, type OutboundGuard, outboundRequest } from '../../../platform/index.ts';
import { UpstreamError } from './upstream.ts';

/** Where a URL of a provider is really asked: elsewhere than it says only in tests, which run providers of their own. */
export type Route = (url: string) => string;

const TIMEOUT_MS = 10_000;
const BODY_MAX = 512 * 1024;

/** How providers are asked: as the outbound rules admit, and in bounded time and size. */
export interface Reach {
  readonly guard: OutboundGuard;
  readonly route: Route;
}

export interface Asked {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** @throws UpstreamError `unreachable` */
export async function ask({ guard, route }: Reach, { url, ...rest }: Asked): Promise<Answered> {
  try {
    return await outboundRequest(guard, { ...rest, url: route(url), timeoutMs: TIMEOUT_MS, bodyMax: BODY_MAX });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new UpstreamError('unreachable', `${new URL(url).host}: ${error.message}`, error);
  }
}

/** The JSON object at a URL. @throws UpstreamError */
export async function askForJson(reach: Reach, asked: Asked): Promise<unknown> {
  const { status, body } = await ask(reach, asked);
  if (status !== 200) throw new UpstreamError('unreachable', `${asked.url} answered ${status}`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new UpstreamError('rejected', `${asked.url} answered no JSON`, error);
  }
}

const bodiless = new Set([204, 205, 304]);

/** `fetch` as `openid-client` calls it, by the outbound rules. Redirects are not followed: they would be answers. */
export function fetchThrough(reach: Reach) {
  return async (
    url: string,
    options: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
  ): Promise<Response> => {
    const { method, headers, body } = options;
    const text = body === undefined || body === null ? undefined : String(body);
    const answered = await ask(reach, {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    const init = { status: answered.status, headers: { 'content-type': answered.contentType } };
    return new Response(bodiless.has(answered.status) ? null : new Uint8Array(answered.body), init);
  };
}
