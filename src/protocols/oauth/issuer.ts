/** Where the parts of an organization's provider stand. Never made from a request's Host header. */
export interface IssuerUrls {
  /** The issuer identifier of both families (OpenID Connect Discovery, 7.1). */
  readonly issuer: string;
  /** The organization's API: the audience of its access tokens. */
  readonly api: string;
  /** The same API by its address in the tenant family. */
  readonly tenantApi: string;
  /** The part of it that speaks the Model Context Protocol: tokens may be for that alone. */
  readonly mcp: string;
  /** The public keys by which all that the organization signs can be verified. */
  readonly jwks: string;
  /** The token endpoint of each family. */
  readonly tokenEndpoints: { readonly org: string; readonly tenant: string };
}

/** @param baseUrl without a trailing slash */
export function issuerUrls(baseUrl: string, slug: string): IssuerUrls {
  const issuer = issuerOf(baseUrl, slug);
  const api = `${issuer}/api/v1`;
  const tenantApi = `${baseUrl}/t/${slug}/api/v1`;
  return {
    issuer,
    api,
    tenantApi,
    mcp: `${tenantApi}/mcp`,
    jwks: `${api}/oauth/jwks`,
    tokenEndpoints: { org: `${api}/oauth/token`, tenant: `${tenantApi}/oauth/token` },
  };
}

/** What a resource (RFC 8707) is called in tokens: the organization's API by one name, whichever of its addresses it was. */
export function resourceName(resource: string, { api, tenantApi }: IssuerUrls): string {
  return resource === tenantApi ? api : resource;
}

export function issuerOf(baseUrl: string, slug: string): string {
  return `${baseUrl}/orgs/${slug}`;
}
