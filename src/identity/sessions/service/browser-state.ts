/**
 * The cookie by which the page of check_session, in a frame of some client's site, sees whether somebody else has signed
 * in or out in this browser (OpenID Connect Session Management 1.0, 3.2). It opens nothing: it is a random text that
 * comes with each session, and scripts of that page read it.
 */
export function browserStateName(slug: string): string {
  return `relata_state_${encodeURIComponent(slug)}`;
}

/**
 * A `Set-Cookie` value, to be sent beside the session's cookie.
 * @param opState of the session; `undefined` where nobody is signed in any more
 * @param baseUrl without TLS a browser keeps the cookie from frames of other sites, as it keeps nothing `Secure` there
 */
export function browserStateCookie(baseUrl: string, slug: string, opState: string | undefined): string {
  const { protocol, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  return [
    `${browserStateName(slug)}=${opState ?? ''}`,
    `Path=${pathname.replace(/\/+$/, '')}/orgs/${slug}/`,
    isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax',
    ...(opState === undefined ? ['Max-Age=0'] : []),
  ].join('; ');
}
