import type { OutboundGuard } from '../../../../platform/index.ts';
import type { DocumentFault } from './client-documents.ts';

/** It is the id of a record, stands in tokens, and in ids beside that of a user. */
const LENGTH_MAX = 200;
const plain = /^https?:\/\/[!$-;=?-[\]_a-z~]+$/;

/**
 * Whether a `client_id` is the address of a client's document (OAuth Client ID Metadata Document, 3): https, with a path,
 * without fragment, user or dot segments. It is written as a URL parser would write it, so that two texts are two clients.
 */
export function isDocumentAddress(clientId: string, outbound: Pick<OutboundGuard, 'allowsPrivate'>): boolean {
  if (clientId.length > LENGTH_MAX || !plain.test(clientId) || !URL.canParse(clientId)) return false;
  const { protocol, pathname, href, username, password } = new URL(clientId);
  const isSecure = protocol === 'https:' || outbound.allowsPrivate;
  return isSecure && href === clientId && pathname !== '/' && username === '' && password === '';
}

/** Why a client with this id cannot be served, for whoever comes with it. */
export function documentText(clientId: string, { message }: DocumentFault): string {
  return `The application says at ${documentHost(clientId)} what it is, and that cannot be used: ${message}.`;
}

/** The host that vouches for a client, with its port: what people are shown. */
export function documentHost(clientId: string): string {
  return new URL(clientId).host;
}
