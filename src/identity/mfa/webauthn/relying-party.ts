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

export type Library = typeof import('@simplewebauthn/server');
let loading: Promise<Library> | undefined;

/** Read when somebody first uses WebAuthn: it brings the formats of many makers along. */
export function webAuthn(): Promise<Library> {
  loading ??= import('@simplewebauthn/server');
  return loading;
}

/**
 * Whether an attestation has more than a signature of the credential itself. None was asked for; and who judges
 * certificates that anybody can make fetches lists from addresses that stand in them.
 * @throws Error where it is none
 */
export async function bringsCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = object.get('fmt');
  return !(format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined));
}
