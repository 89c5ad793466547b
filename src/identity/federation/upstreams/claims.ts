import { emailSchema, profileShape } from '../../../directory/users/index.ts';
import type { ProviderRecord } from '../../providers/index.ts';
import { type ExternalIdentity, type ExternalProfile, UpstreamError } from './upstream.ts';

/** What a provider says of somebody, by the names of OpenID Connect Core, 5.1. Nothing of it has been checked. */
export type Claims = Readonly<Record<string, unknown>>;

const SUBJECT_BYTES_MAX = 1024;

export interface Vouching {
  readonly issuer: string;
  readonly subject: unknown;
  readonly emailVerified: boolean;
  /** The provider runs the domain of the address. */
  readonly runsDomain: boolean;
}

/** @throws UpstreamError where it names nobody */
export function identityFrom(record: ProviderRecord, claims: Claims, vouching: Vouching): ExternalIdentity {
  const { issuer, subject, emailVerified, runsDomain } = vouching;
  if (typeof subject !== 'string' || subject === '' || Buffer.byteLength(subject) > SUBJECT_BYTES_MAX) {
    throw new UpstreamError('rejected', 'the answer names nobody');
  }
  const email = emailOf(claims);
  return {
    issuer,
    subject,
    email,
    emailVerified: email !== undefined && emailVerified,
    isEmailUnverified: claims.email_verified === false || claims.email_verified === 'false',
    isTrustedForEmail: email !== undefined && (runsDomain || isTrustedDomain(record, email)),
    profile: profileOf(claims),
  };
}

export function emailOf({ email }: Claims): string | undefined {
  const read = emailSchema.safeParse(email);
  return read.success ? read.data : undefined;
}

export function isTrustedDomain({ trustedDomains = [] }: ProviderRecord, email: string): boolean {
  return trustedDomains.includes(domainOf(email));
}

/** In lower case; `''` where there is none. */
export function domainOf(email: string | undefined): string {
  return email === undefined ? '' : email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Booleans that some providers write as text. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

const profileClaims = {
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
  picture: 'picture',
  locale: 'locale',
} as const satisfies Readonly<Record<keyof ExternalProfile, string>>;

/** What passes our own rules; the rest is left out, as it is only a suggestion. */
function profileOf(claims: Claims): ExternalProfile {
  const names = Object.keys(profileClaims) as (keyof ExternalProfile)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const read = profileShape[name].safeParse(claims[profileClaims[name]]);
      return read.success && typeof read.data === 'string' ? [[name, read.data]] : [];
    }),
  );
}
