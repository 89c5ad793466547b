/** Who asks authenticators: what credentials are made for, and bound to. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** @param baseUrl of the service, from its configuration and never from a request */
export function relyingParty(baseUrl: string): RelyingParty {
  const { hostname: id, origin } = new URL(baseUrl);
  return { id, origin };
}

type Library = typeof import('@simplewebauthn/server');
let loading: Promise<Library> | undefined;

/** Read when somebody first uses WebAuthn: it brings the formats of many makers along. */
export function webAuthn(): Promise<Library> {
  loading ??= import('@simplewebauthn/server');
  return loading;
}
