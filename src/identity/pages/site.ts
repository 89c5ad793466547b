/** Where the service is reached: from its configuration, never from a request. */
export interface Site {
  /** `https://id.example.com` */
  readonly origin: string;
  /** What stands before every path, without a slash at its end; mostly `''`. */
  readonly path: string;
  /** Whether cookies can be kept to encrypted connections. */
  readonly isSecure: boolean;
}

export function siteOf(baseUrl: string): Site {
  const { origin, pathname, protocol } = new URL(baseUrl);
  return { origin, path: pathname.replace(/\/+$/, ''), isSecure: protocol === 'https:' };
}

/** `{issuer}` as a path: links of pages name no host. */
export function issuerPath(site: Site, slug: string): string {
  return `${site.path}/orgs/${slug}`;
}
