import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../../platform/index.ts';
import type { ProviderRecord } from '../../providers/index.ts';
import { ask, type Reach } from '../upstreams/reach.ts';
import { Remembered } from '../upstreams/remembered.ts';
import { UpstreamError } from '../upstreams/upstream.ts';
import { allOf, childrenOf, namespaces, parseXml, textOf, timeOf } from './xml.ts';

/** What must be known of an identity provider. */
export interface IdentityProvider {
  /** Its name for itself; `undefined` where only its certificate is configured. */
  readonly entityId: string | undefined;
  /** Where people are sent, by a redirect. */
  readonly entryPoint: string;
  /** PEM: one of them signs. */
  readonly certificates: readonly string[];
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const CERTIFICATES_MAX = 20;
/** Of one identity provider, with the languages and contacts that some list. */
const MARKUP_MAX = 20_000;
const RSA_BITS_MIN = 2048;

/**
 * Reads the metadata of an identity provider (SAML 2.0 Metadata, 2.4.3).
 * @param now milliseconds since the epoch
 * @throws UpstreamError
 */
export function readIdpMetadata({ guard }: Reach, text: string, now: number): IdentityProvider {
  const document = parseXml(text, MARKUP_MAX);
  const descriptors = allOf(document, namespaces.metadata, 'IDPSSODescriptor');
  const [descriptor] = descriptors;
  const entity = descriptor?.parentNode;
  if (descriptor === undefined || descriptors.length > 1 || !isElement(entity)) {
    throw new UpstreamError('misconfigured', 'the metadata must describe one identity provider');
  }
  for (const element of [document.documentElement, entity, descriptor]) {
    const until = timeOf(element, 'validUntil');
    if (until !== undefined && until <= now) throw new UpstreamError('misconfigured', 'the metadata has expired');
  }
  const service = childrenOf(descriptor, namespaces.metadata, 'SingleSignOnService').find(
    (each) => each.getAttribute('Binding') === REDIRECT,
  );
  const entryPoint = service?.getAttribute('Location') ?? '';
  const entityId = entity.getAttribute('entityID') ?? '';
  if (entityId === '' || entryPoint === '') {
    throw new UpstreamError('misconfigured', 'the metadata names no entity or no address for redirects');
  }
  guard.requireUrl(entryPoint);
  return { entityId, entryPoint, certificates: signingCertificates(descriptor) };
}

function signingCertificates(descriptor: Element): string[] {
  const keys = childrenOf(descriptor, namespaces.metadata, 'KeyDescriptor').filter(
    // without a use it is for both
    (key) => !key.hasAttribute('use') || key.getAttribute('use') === 'signing',
  );
  const texts = keys.flatMap((key) =>
    Array.from(key.getElementsByTagNameNS(namespaces.signature, 'X509Certificate')).map(textOf),
  );
  const certificates = texts.slice(0, CERTIFICATES_MAX).map(pemOf).filter(isStrong);
  if (certificates.length === 0) throw new UpstreamError('misconfigured', 'the metadata has no usable certificate');
  return certificates;
}

function pemOf(base64: string): string {
  const lines = base64.replace(/\s/g, '').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function isStrong(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(pem).publicKey;
    return asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}

function isElement(node: Node | null | undefined): node is Element {
  return node?.nodeType === 1;
}

/** How long metadata is taken for what holds now. */
const FRESH_MS = 60 * 60 * 1000;
/** How long it is used on while it cannot be read again. */
const STALE_MS = 24 * 60 * 60 * 1000;
/** Whoever sends bad signatures must not make us ask more often. */
const AGAIN_MS = 60 * 1000;

/** Identity providers as their metadata, or the configuration, has them. */
export class IdentityProviders {
  readonly #reach: Reach;
  readonly #clock: Clock;
  readonly #known: Remembered<IdentityProvider>;

  constructor(reach: Reach, clock: Clock) {
    this.#reach = reach;
    this.#clock = clock;
    this.#known = new Remembered(clock);
  }

  /**
   * @param again where a signature fits no certificate: a new one may have been published
   * @returns `undefined` where it was asked too short a time ago to be asked again
   * @throws UpstreamError
   */
  async of(record: ProviderRecord, again: true): Promise<IdentityProvider | undefined>;
  async of(record: ProviderRecord): Promise<IdentityProvider>;
  async of({ details }: ProviderRecord, again = false): Promise<IdentityProvider | undefined> {
    const { metadataUrl } = details;
    if (metadataUrl === undefined) return again ? undefined : configured(details);
    const known = this.#known.get(metadataUrl);
    if (again && known !== undefined && known.age < AGAIN_MS) return undefined;
    if (!again && known !== undefined && known.age < FRESH_MS) return known.value;
    try {
      const provider = await this.#fetch(metadataUrl);
      this.#known.keep(metadataUrl, provider);
      return provider;
    } catch (error) {
      if (again || known === undefined || known.age >= STALE_MS || !isPassing(error)) throw error;
      return known.value;
    }
  }

  async #fetch(url: string): Promise<IdentityProvider> {
    const { status, body } = await ask(this.#reach, { url, headers: { accept: 'application/samlmetadata+xml, */*' } });
    if (status !== 200) throw new UpstreamError('unreachable', `the metadata answered ${status}`);
    return readIdpMetadata(this.#reach, body.toString('utf8'), this.#clock.now());
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof UpstreamError && error.fault === 'unreachable';
}

function configured({ entryPoint, certificate }: ProviderRecord['details']): IdentityProvider {
  if (entryPoint === undefined || certificate === undefined || !isStrong(certificate)) {
    throw new UpstreamError('misconfigured', 'the provider has no entry point, or no usable certificate');
  }
  return { entityId: undefined, entryPoint, certificates: [certificate] };
}
