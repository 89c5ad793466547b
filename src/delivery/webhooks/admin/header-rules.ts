const NAME_MAX = 64;
/**
 * Narrower than RFC 9110, 5.1: many servers drop names with an underscore or a dot, and some (CGI) read `webhook_id` and
 * `webhook-id` as one.
 */
const plainName = /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/;
export const headerNameRule = `must be a name of at most ${NAME_MAX} letters and digits, with single hyphens between them`;

export function isHeaderName(name: string): boolean {
  return name.length <= NAME_MAX && plainName.test(name);
}

/** Visible characters and spaces within: what any server takes. */
export const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Those that belong to one connection (RFC 9110, 7.6.1), that frame the message, or that the service sets itself. */
const taken = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  // CGI makes a setting of it (CVE-2016-5385)
  'proxy',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const takenPrefixes = ['webhook-', 'x-service-', 'x-relata-', 'x-forwarded-', 'sec-'];

/** Whether a receiver may have a header of this name sent to it. */
export function isFreeHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !taken.has(lower) && !takenPrefixes.some((prefix) => lower.startsWith(prefix));
}
