import { UpstreamError } from '../upstreams/upstream.ts';
import { allOf, childrenOf, elementsIn, namespaces, onlyChild, parseXml } from './xml.ts';

/** Of base64 text: an assertion with a certificate and a hundred attributes has a tenth of it. */
const ENCODED_MAX = 128 * 1024;

/** Only what nobody can forge today. HMAC would take the certificate, which is public, for the secret. */
const algorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set([
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ]),
  DigestMethod: new Set([
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmldsig-more#sha384',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ]),
};

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const REQUEST_DENIED = new Set([
  'urn:oasis:names:tc:SAML:2.0:status:RequestDenied',
  'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
]);

/** The response to which request, sent where. */
export interface Expected {
  readonly requestId: string;
  readonly callbackUrl: string;
}

/**
 * Looks at a response before any signature is: whatever its form makes ambiguous is refused. What it says is believed
 * of its assertion alone, by `readAssertion`.
 * @throws UpstreamError
 */
export function requirePlainResponse(encoded: string, { requestId, callbackUrl }: Expected): void {
  const document = parseXml(decode(encoded));
  const root = document.documentElement;
  if (root.namespaceURI !== namespaces.protocol || root.localName !== 'Response') throw rejected('it is no response');
  requireUniqueIds(root);
  for (const [name, known] of Object.entries(algorithms)) {
    for (const method of allOf(document, namespaces.signature, name)) {
      if (!known.has(method.getAttribute('Algorithm') ?? '')) throw rejected(`${name} is not accepted`);
    }
  }
  if (root.getAttribute('InResponseTo') !== requestId) throw rejected('it answers another request');
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== '' && destination !== callbackUrl) throw rejected('it was meant for another address');
  requireSuccess(onlyChild(root, namespaces.protocol, 'Status'));
  if (allOf(document, namespaces.assertion, 'EncryptedAssertion').length > 0) {
    throw new UpstreamError('misconfigured', 'the assertion is encrypted, and nothing here was given to encrypt for');
  }
  // one that is hidden elsewhere in the document would be taken by one reader and not by another
  const assertions = allOf(document, namespaces.assertion, 'Assertion');
  if (assertions.length !== 1 || assertions[0]?.parentNode !== root) throw rejected('it must have one assertion');
}

function decode(encoded: string): string {
  if (encoded.length > ENCODED_MAX) throw rejected('it is too large');
  const plain = encoded.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw rejected('it is not base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(plain, 'base64'));
  } catch {
    throw rejected('it is not UTF-8');
  }
}

/** A signature names what it covers by its id. */
function requireUniqueIds(root: Element): void {
  const seen = new Set<string>();
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    for (const attribute of Array.from(element.attributes)) {
      if (attribute.localName?.toLowerCase() !== 'id') continue;
      if (seen.has(attribute.value)) throw rejected('two elements have one id');
      seen.add(attribute.value);
    }
    waiting.push(...elementsIn(element));
  }
}

function requireSuccess(status: Element): void {
  const code = onlyChild(status, namespaces.protocol, 'StatusCode');
  const value = code.getAttribute('Value') ?? '';
  if (value === SUCCESS) return;
  const second = childrenOf(code, namespaces.protocol, 'StatusCode')[0]?.getAttribute('Value') ?? '';
  const fault = [value, second].some((each) => REQUEST_DENIED.has(each)) ? 'refused' : 'misconfigured';
  throw new UpstreamError(fault, `the identity provider answered ${[value, second].join(' ').slice(0, 300)}`);
}

function rejected(reason: string): UpstreamError {
  return new UpstreamError('rejected', `SAML response: ${reason}`);
}
