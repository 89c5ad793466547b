import type { Change, Precondition, RecordEntry, RecordWrite, Store } from '#engine';

/** Collection of an organization's store: one record a user, which goes as a whole when the factors are reset. */
const factorCollection = 'user_factors';

/** Times are milliseconds since the epoch. */
interface FactorBasis {
  readonly id: string;
  /** As the user calls it. */
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** An application that shows codes of the time (RFC 6238). */
export interface TotpFactor extends FactorBasis {
  readonly type: 'totp';
  /** Base32, sealed. */
  readonly secret: string;
  /** The latest step of 30 seconds whose code was used: neither it nor one before it is taken again. */
  readonly lastStep: number;
}

/** A credential of WebAuthn: a passkey, or a security key. */
export interface WebAuthnFactor extends FactorBasis {
  readonly type: 'webauthn';
  /** Base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it is part of the device, as the browser said. */
  readonly isPlatform: boolean;
  /** Whether it may be copied to other devices, and whether it has been. */
  readonly isMultiDevice: boolean;
  readonly isBackedUp: boolean;
  /** The model of the authenticator, as far as it tells. */
  readonly aaguid: string;
}

export interface SmsFactor extends FactorBasis {
  readonly type: 'sms';
  /** E.164. */
  readonly number: string;
}

/** Codes go to the address that the user has when they are sent. */
export interface EmailFactor extends FactorBasis {
  readonly type: 'email';
}

export type Factor = TotpFactor | WebAuthnFactor | SmsFactor | EmailFactor;

export interface FactorRecord {
  /** Confirmed ones alone. */
  readonly factors: readonly Factor[];
  /** Of the codes that are left, in place of a factor that is lost. */
  readonly recovery?: { readonly digests: readonly string[]; readonly madeAt: number };
}

export type FactorEntry = RecordEntry<FactorRecord>;

export function getFactors(store: Store, userId: string): FactorEntry | undefined {
  return store.records.get<FactorRecord>(factorCollection, userId);
}

export function factorsWrite(userId: string, document: FactorRecord): RecordWrite {
  return { collection: factorCollection, id: userId, document };
}

/** What a plan about factors rests on. */
export function factorsAt(store: Store, userId: string, version: number | undefined): Precondition {
  const place = { store: store.name, collection: factorCollection, id: userId };
  return version === undefined
    ? { require: 'record_absent', ...place }
    : { require: 'record_version', ...place, version };
}

/** Every factor and recovery code of a user. */
export function clearFactors(store: Store, userId: string): Change {
  return { op: 'delete_record', store: store.name, collection: factorCollection, id: userId };
}
