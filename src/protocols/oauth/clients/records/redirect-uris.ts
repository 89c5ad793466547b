/** What is wrong with a redirect URI; `undefined` where it may be registered. */
export type RedirectFault = string | undefined;

export const REDIRECTS_MAX = 50;
export const URI_LENGTH_MAX = 2000;

/** Printable ASCII without what parsers read in different ways: space, quotes, angle brackets, backslash and the like. */
const plainUri = /^[!#-;=?-[\]_a-z~]+$/;
/** Of a control character, a backslash or an encoded percent sign, which a second decoding would make into one. */
const hiddenCharacter = /%(?:[01][0-9a-f]|7f|5c|25)/i;
/** Reverse domain names alone: `com.example.app` (RFC 8252, 7.1). */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Whether a redirect URI may be registered. It must be written exactly as a browser would write it, so that comparing
 * texts compares targets: then a default port, an upper-case host or a dot segment cannot hide where it leads.
 * @param isPublic whether the client may be an application on a device, with a scheme of its own (RFC 8252)
 */
export function redirectFault(text: string, isPublic: boolean): RedirectFault {
  if (text.length > URI_LENGTH_MAX) return `is longer than ${URI_LENGTH_MAX} characters`;
  if (text.includes('#')) return 'must have no fragment';
  if (text.includes('*')) return 'must have no wildcard';
  if (!plainUri.test(text) || hiddenCharacter.test(text)) return 'has characters that a redirect URI must not have';
  if (!URL.canParse(text)) return 'must be an absolute URI';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@')) return 'must name no user';
  if (url.href !== text && url.href !== `${text}/`) return `must be written as ${url.href}`;
  return schemeFault(url, isPublic);
}

function schemeFault({ protocol, hostname }: URL, isPublic: boolean): RedirectFault {
  if (protocol === 'https:') return hostname.endsWith('.') ? 'must have a host without a dot at its end' : undefined;
  if (protocol === 'http:') {
    return loopbackHosts.has(hostname) ? undefined : 'must be https, or http at a loopback address';
  }
  if (!isPublic) return 'must be https, or http at a loopback address';
  return privateScheme.test(protocol) ? undefined : 'must be https, or have a scheme such as com.example.app';
}

/**
 * Whether an application of this type may have a redirect URI (OpenID Connect Dynamic Client Registration, 2): one on the
 * web has https at a host, one on a device a scheme of its own, a loopback address or an https URL that it claims (RFC
 * 8252, 7.2).
 */
export function typeFault(text: string, type: 'web' | 'native'): RedirectFault {
  const { protocol, hostname } = new URL(text);
  if (type === 'native' || (protocol === 'https:' && !loopbackHosts.has(hostname))) return undefined;
  return 'must be https, and at no loopback host: the application is one on the web';
}

/** Whether it leads to a program on the user's device: any program can listen there. */
export function isOnDevice(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol !== 'https:' || loopbackHosts.has(hostname);
}

function authorityOf(text: string): string {
  return /^[^:]*:\/\/([^/?]*)/.exec(text)?.[1] ?? '';
}

/**
 * Whether a redirect URI of a request is a registered one: the same text, character by character. Only for a loopback
 * address may the application choose the port at each start (RFC 8252, 7.3). `localhost` is a name and no address, and
 * must be exact; except where `named` says that one registration stands for programs on many devices, none of which can
 * know its port beforehand.
 */
export function isRegisteredRedirect(registered: readonly string[], requested: string, named = false): boolean {
  if (registered.includes(requested)) return true;
  const asked = loopback(requested, named);
  return asked !== undefined && registered.some((each) => loopback(each, named) === asked);
}

const loopbackAddress = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?(\/[^#]*|\?[^#]*)?$/;
const loopbackName = /^http:\/\/(localhost)(?::([1-9]\d{0,4}))?(\/[^#]*|\?[^#]*)?$/;

/** A loopback URI without its port; `undefined` for any other. */
function loopback(text: string, named: boolean): string | undefined {
  const parts = loopbackAddress.exec(text) ?? (named ? loopbackName.exec(text) : null);
  if (parts === null || Number(parts[2] ?? 80) > 65_535) return undefined;
  return `${parts[1]}${parts[3] ?? ''}`;
}
