import { createHash } from 'node:crypto';

/**
 * Runs in a hidden frame of a client's page and answers `changed`, `unchanged` or `error` to `<client_id>
 * <session_state>` (OpenID Connect Session Management 1.0, 3.2). The origin is the one that the browser vouches for, so
 * that no other site can ask in the client's name. Browsers have no hash functions in pages without TLS, but on the local
 * host.
 */
export const frameScript = `'use strict';
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
export const frameScriptHash: string = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;
