import { ClientSecretPost, type Configuration, clockSkew, customFetch, discovery } from 'openid-client';
import type { ProviderRecord } from '../../providers/index.ts';
import { type Claims, domainOf, emailOf, isTrue, isTrustedDomain } from './claims.ts';
import { described, prepare, type UpstreamDependencies } from './code-flow.ts';
import { requiredSecret } from './openid.ts';
import { fetchThrough } from './reach.ts';
import { type OpenProvider, UpstreamError } from './upstream.ts';

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Each directory is an issuer of its own. `openid-client` knows how the configuration of all of them (`common`) names
 * the issuer, and holds each token to the directory that it claims; that of one directory names its issuer outright.
 */
export async function microsoftClient(
  dependencies: UpstreamDependencies,
  provider: OpenProvider,
): Promise<Configuration> {
  const directory = provider.record.details.orgId ?? 'common';
  const server = new URL(`https://login.microsoftonline.com/${directory}/v2.0`);
  const secret = ClientSecretPost(requiredSecret(provider));
  const metadata = { [clockSkew]: Math.round((dependencies.clock.now() - Date.now()) / 1000) };
  const config = await described(() =>
    discovery(server, provider.record.clientId, metadata, secret, { [customFetch]: fetchThrough(dependencies) }),
  );
  prepare(dependencies, config);
  return config;
}

/** @throws UpstreamError where somebody of another directory has come */
export function admitDirectory({ details: { orgId } }: ProviderRecord, { tid, iss }: Claims): void {
  const directory = typeof tid === 'string' && guid.test(tid) ? tid.toLowerCase() : undefined;
  const isOwnIssuer = iss === `https://login.microsoftonline.com/${directory}/v2.0`;
  if (directory === undefined || !isOwnIssuer) throw new UpstreamError('rejected', 'the token names no directory');
  // of a directory that is named by a domain, the issuer that was discovered for it has been checked
  if (orgId !== undefined && guid.test(orgId) && orgId.toLowerCase() !== directory) {
    throw new UpstreamError('not_admitted', 'the token is of another directory');
  }
}

/**
 * Whoever runs a directory writes any address into it. It is verified where Microsoft says that the directory owns the
 * domain, or where one directory alone is admitted and the organization trusts it for the domain.
 */
export function isMicrosoftEmailVerified(record: ProviderRecord, claims: Claims): boolean {
  const email = emailOf(claims);
  if (email === undefined) return false;
  const { xms_edov: owned } = claims;
  return isTrue(owned) || owned === 1 || owned === '1' || isOfOneDirectory(record, email);
}

function isOfOneDirectory(record: ProviderRecord, email: string): boolean {
  return isOneDirectory(record) && isTrustedDomain(record, email);
}

/** Microsoft's names for more than one directory. */
const openDirectories = new Set(['common', 'organizations', 'consumers']);

/** Its own mail service, where it has issued the address itself. */
export function isMicrosoftMail(claims: Claims): boolean {
  const own = new Set(['outlook.com', 'hotmail.com', 'live.com']);
  return claims.tid === consumers && own.has(domainOf(emailOf(claims)));
}

/** The directory of personal accounts. */
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** Whether only people of one directory are let in, not everybody with a Microsoft account. */
export function isOneDirectory({ details: { orgId } }: ProviderRecord): boolean {
  return orgId !== undefined && !openDirectories.has(orgId.toLowerCase());
}
