import { digestOf } from '../../../platform/index.ts';
import { issuerPath, type Site } from '../../pages/index.ts';

/** What an organization keeps in a browser: a secret that makes it known again, and the secret of its session. */
export type CookieKind = 'browser' | 'session';

interface Owner {
  readonly id: string;
  readonly slug: string;
}

const NAME_LENGTH = 12;
const HEADER_MAX = 16 * 1024;

/** Bound to the organization, as all of them share one origin. */
export function cookieName(site: Site, kind: CookieKind, { id }: Owner): string {
  const name = `relata_${kind}_${digestOf(id).slice(0, NAME_LENGTH)}`;
  return site.isSecure ? `__Secure-${name}` : name;
}

/** `Set-Cookie`. Without an end it goes when the browser is closed; `undefined` removes it. */
export function cookieHeader(site: Site, kind: CookieKind, owner: Owner, value: string | undefined): string {
  return [
    `${cookieName(site, kind, owner)}=${value ?? ''}`,
    `Path=${issuerPath(site, owner.slug)}/`,
    'HttpOnly',
    'SameSite=Lax',
    ...(site.isSecure ? ['Secure'] : []),
    ...(value === undefined ? ['Max-Age=0'] : []),
  ].join('; ');
}

/**
 * A cookie's value; `undefined` where there is none, or two that differ: the other one comes from somebody who can write
 * cookies for this host but not read them.
 */
export function cookieValue(header: string, name: string): string | undefined {
  if (header.length > HEADER_MAX) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return new Set(values).size === 1 ? values[0] : undefined;
}
