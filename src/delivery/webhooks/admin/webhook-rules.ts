import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { invalid, refused } from '../../../kernel/transactions/index.ts';
import type { SealedParts } from '../records/sealed-parts.ts';
import type { WebhookRecord } from '../records/webhook-record.ts';
import { type AuthenticationInput, MASK } from './webhook-bodies.ts';

const RSA_BITS_MAX = 4096;

/** Whoever names another host must say again what the first one was told in confidence. @throws ProblemError 422 */
export function keepSecretsWithHost(before: WebhookRecord, url: string, given: GivenSecrets): void {
  if (new URL(before.url).origin === new URL(url).origin) return;
  if (before.headers.length > 0 && given.headers === undefined) {
    throw refused('The host changes: send the headers again.', 'headers');
  }
  if (Object.values(given.headers ?? {}).includes(MASK)) {
    throw refused('The host changes: send the values of headers again.', 'headers');
  }
  if (before.authentication !== undefined && isKept(given.authentication)) {
    throw refused('The host changes: send the authentication again.', 'authentication');
  }
}

/** Whether a secret that there is goes on. */
function isKept(authentication: GivenSecrets['authentication']): boolean {
  if (authentication === undefined) return true;
  if (authentication === null) return false;
  const secret = authentication.type === 'mtls' ? authentication.privateKey : authentication.clientSecret;
  return secret === undefined || secret === MASK;
}

interface GivenSecrets {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly authentication?: AuthenticationInput | null | undefined;
}

/** @throws ProblemError 400 where a value is masked and there is none to keep */
export function sealedHeaders(
  parts: SealedParts,
  given: Readonly<Record<string, string>>,
  before: WebhookRecord['headers'] = [],
): WebhookRecord['headers'] {
  return Object.entries(given).map(([spelling, value]) => {
    const name = spelling.toLowerCase();
    if (value !== MASK) return { name, sealed: parts.seal(`header.${name}`, value) };
    const kept = before.find((each) => each.name === name);
    if (kept === undefined) throw invalid(`headers.${spelling}`, 'is masked, but there is no stored value to keep');
    return kept;
  });
}

/** @throws ProblemError 400 where a secret is missing and there is none to keep, or key and certificate do not fit */
export function sealedAuthentication(
  parts: SealedParts,
  given: AuthenticationInput,
  before: WebhookRecord['authentication'],
): NonNullable<WebhookRecord['authentication']> {
  if (given.type === 'mtls') return sealedCertificate(parts, given, before);
  const { clientSecret, scope, ...plain } = given;
  const isNew = clientSecret !== undefined && clientSecret !== MASK;
  const isSame = before?.type === 'oauth' && before.tokenUrl === plain.tokenUrl && before.clientId === plain.clientId;
  if (!isNew && !isSame) throw invalid('authentication.clientSecret', 'is required');
  const sealedSecret = isNew ? parts.seal('authentication', clientSecret) : isSame ? before.sealedSecret : '';
  return { ...plain, sealedSecret, ...(scope === undefined ? {} : { scope }) };
}

function sealedCertificate(
  parts: SealedParts,
  { certificate, privateKey }: Extract<AuthenticationInput, { type: 'mtls' }>,
  before: WebhookRecord['authentication'],
): NonNullable<WebhookRecord['authentication']> {
  const isNew = privateKey !== undefined && privateKey !== MASK;
  const old = before?.type === 'mtls' ? before.sealedKey : undefined;
  if (!isNew && old === undefined) throw invalid('authentication.privateKey', 'is required');
  const key = isNew ? privateKey : parts.open('authentication', old ?? '');
  requirePair(certificate, key);
  return { type: 'mtls', certificate, sealedKey: isNew ? parts.seal('authentication', key) : (old ?? '') };
}

function requirePair(certificate: string, key: string): void {
  const parsed = readOr(
    'authentication.certificate',
    'must be a certificate in PEM',
    () => new X509Certificate(certificate),
  );
  const opened = readOr('authentication.privateKey', 'must be a private key in PEM, without a passphrase', () =>
    createPrivateKey(key),
  );
  if (certificate.includes('PRIVATE KEY'))
    throw invalid('authentication.certificate', 'must not contain a private key');
  if (!isBounded(opened))
    throw invalid('authentication.privateKey', `must be RSA of at most ${RSA_BITS_MAX} bits, or EC`);
  if (!parsed.checkPrivateKey(opened)) throw invalid('authentication.privateKey', 'is not that of the certificate');
}

/** Each handshake signs with it, in the thread of all deliveries. */
function isBounded({ asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} }: KeyObject): boolean {
  if (type === 'rsa' || type === 'rsa-pss') return modulusLength <= RSA_BITS_MAX;
  return type === 'ec' || type === 'ed25519' || type === 'ed448';
}

function readOr<T>(path: string, message: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid(path, message);
  }
}
