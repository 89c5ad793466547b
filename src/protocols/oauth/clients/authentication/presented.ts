import type { ProblemError } from '../../../../http/index.ts';
import { oauthError } from '../../errors/index.ts';

/** The members of a form that authenticate a client, bounded by the schema of each endpoint. */
export interface ClientForm {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion?: string | undefined;
  readonly client_assertion_type?: string | undefined;
}

/** How a client says who it is. */
export type Presented =
  | { readonly by: 'secret'; readonly clientId: string; readonly secret: string }
  | { readonly by: 'assertion'; readonly clientId: string | undefined; readonly assertion: string }
  | { readonly by: 'name'; readonly clientId: string };

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Bounds of what is looked at: longer than anything that was ever issued or accepted at a registration. */
const BASIC_MAX = 4096;
const ASSERTION_MAX = 16_384;

/**
 * Reads one way of authenticating from a request (RFC 6749, 2.3; RFC 7521, 4.2).
 * @param authorization the header, `''` where absent
 * @throws ProblemError `invalid_request` where there are several, `invalid_client` where there is none
 */
export function readPresented(authorization: string, form: ClientForm): Presented {
  const ways = [authorization !== '', form.client_secret !== undefined, form.client_assertion !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw oauthError('invalid_request', 'The client authenticated in more than one way.');
  }
  if (authorization !== '') return readBasic(authorization, form.client_id);
  if (form.client_assertion !== undefined) return readAssertion(form);
  const { client_id: clientId, client_secret: secret } = form;
  if (clientId === undefined || clientId === '') throw unknownClient();
  if (secret === undefined) return { by: 'name', clientId };
  return { by: 'secret', clientId, secret };
}

/** The one answer for every reason: who guesses learns nothing (RFC 6749, 5.2). */
export function unknownClient(): ProblemError {
  return oauthError('invalid_client', 'The client could not be authenticated.', {
    'www-authenticate': 'Basic realm="relata", charset="UTF-8"',
  });
}

function readBasic(authorization: string, named: string | undefined): Presented {
  const encoded = authorization.length > BASIC_MAX ? undefined : /^basic +([\w+/-]+={0,2})$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? undefined : decodeUtf8(encoded);
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === undefined || colon < 1) throw unknownClient();
  const clientId = decodeForm(decoded.slice(0, colon));
  const secret = decodeForm(decoded.slice(colon + 1));
  if (clientId === undefined || secret === undefined) throw unknownClient();
  requireSame(named, clientId);
  return { by: 'secret', clientId, secret };
}

function readAssertion({ client_id: clientId, client_assertion: assertion, ...form }: ClientForm): Presented {
  if (form.client_assertion_type !== assertionType) {
    throw oauthError('invalid_request', `client_assertion_type must be ${assertionType}.`);
  }
  if (assertion === undefined || assertion.length > ASSERTION_MAX) throw unknownClient();
  return { by: 'assertion', clientId, assertion };
}

/** `client_id` beside an authentication names the same client. */
function requireSame(named: string | undefined, clientId: string): void {
  if (named === undefined || named === clientId) return;
  throw oauthError('invalid_request', 'client_id does not match the authenticated client.');
}

function decodeUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

/** `application/x-www-form-urlencoded`, in which id and secret stand in the header (RFC 6749, 2.3.1). */
function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
