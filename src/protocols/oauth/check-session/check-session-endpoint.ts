import { createHash } from 'node:crypto';
import { BoundedMap, type Engine, type Store } from '#engine';
import { type Endpoint, endpointFor, page } from '../../../http/index.ts';
import { browserStateName } from '../../../identity/sessions/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { clientRecords } from '../clients/index.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';

const endpoint = endpointFor<unknown>();

/** `GET {org_api}/oauth/check_session` (OpenID Connect Session Management 1.0, 3.2). */
export function checkSessionEndpoint(dependencies: ProtocolDependencies): Endpoint {
  const frameOrigins = new FrameOrigins(dependencies);
  return endpoint({
    method: 'GET',
    path: '/orgs/{orgId}/api/v1/oauth/check_session',
    summary: 'A page for a hidden frame, which tells a client whether its user is still signed in',
    description:
      'It answers the posted message `<client_id> <session_state>` with `changed`, `unchanged` or `error`, without a ' +
      'request. Only pages of the origins of registered redirect URIs may hold it in a frame.',
    tags: ['OAuth'],
    access: 'public',
    responses: { 200: { description: 'The page', contentType: 'text/html' } },
    errors: ['not_found'],
    handler(call) {
      const { slug, store } = organizationAt(dependencies, call.params.orgId);
      const ancestors = frameOrigins.ancestors(store, call.header('referer'));
      return page(framePage(browserStateName(slug)), {
        policy: `default-src 'none'; script-src ${frameScriptHash}; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
      });
    },
  });
}

/** @param cookie without a character that means something in HTML */
function framePage(cookie: string): string {
  return `<!doctype html>
<html lang="en" data-cookie="${cookie}">
<head><meta charset="utf-8"><title>Session state</title></head>
<body><script>${frameScript}</script></body>
</html>
`;
}

/**
 * Runs in a hidden frame of a client's page and answers `changed`, `unchanged` or `error` to `<client_id>
 * <session_state>` (OpenID Connect Session Management 1.0, 3.2). The origin is the one that the browser vouches for, so
 * that no other site can ask in the client's name. Browsers have no hash functions in pages without TLS, but on the local
 * host.
 */
const frameScript = `'use strict';
(() => {
  const prefix = document.documentElement.dataset.cookie + '=';
  const browserState = () =>
    document.cookie.split('; ').find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? '';
  const hashOf = async (text) => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
    return btoa(String.fromCharCode(...digest)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
  const judge = async (message, origin) => {
    const [, client, hash, salt] = /^(\\S{1,256}) ([\\w-]{43})\\.([\\w-]{1,64})$/.exec(message) ?? [];
    if (hash === undefined) return 'error';
    return (await hashOf([client, origin, browserState(), salt].join(' '))) === hash ? 'unchanged' : 'changed';
  };
  addEventListener('message', ({ data, origin, source }) => {
    const answer = (text) => source.postMessage(text, origin);
    if (source === null || origin === 'null' || typeof data !== 'string' || data.length > 512) return;
    judge(data, origin).then(answer, () => answer('error'));
  });
})();
`;

/** By which the page's policy admits this script and no other. */
const frameScriptHash: string = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;

/** Most sites in the policy's header: with more, it only admits the page that asks, if that says which it is. */
const LISTED_MAX = 50;
const CLIENTS_MAX = 10_000;
const STORES_MAX = 1000;
/** The frame shows nothing and tells no secret: who may have it can be some seconds old. */
const KEPT_MS = 10_000;

interface Kept {
  readonly origins: ReadonlySet<string>;
  readonly until: number;
}

/** Which sites may hold the page of check_session in a frame: those of an organization's clients. */
class FrameOrigins {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, Kept>(STORES_MAX);

  constructor({ engine, clock }: { readonly engine: Engine; readonly clock: Clock }) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /**
   * The value of `frame-ancestors`.
   * @param referer `''` where the page that asks does not say which it is
   */
  ancestors(store: Store, referer: string): string {
    const origins = this.#originsOf(store);
    if (referer === '') return [...origins].slice(0, LISTED_MAX).join(' ') || "'none'";
    const origin = URL.canParse(referer) ? new URL(referer).origin : '';
    return origins.has(origin) ? origin : "'none'";
  }

  #originsOf(store: Store): ReadonlySet<string> {
    const now = this.#clock.now();
    const known = this.#kept.get(store.name);
    if (known !== undefined && now < known.until) return known.origins;
    const origins = this.#engine.read(() => readOrigins(store));
    this.#kept.set(store.name, { origins, until: now + KEPT_MS });
    return origins;
  }
}

function readOrigins(store: Store): ReadonlySet<string> {
  const origins = new Set<string>();
  let read = 0;
  for (const { document } of clientRecords.all(store)) {
    if (++read > CLIENTS_MAX) break;
    if (!document.isActive) continue;
    for (const uri of document.redirectUris) if (/^https?:/.test(uri)) origins.add(new URL(uri).origin);
  }
  return origins;
}
