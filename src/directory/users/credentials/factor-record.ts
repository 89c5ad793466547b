import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** Times are milliseconds since the epoch. */
const basis = {
  id: z.string(),
  /** As the user calls it. */
  name: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number().exactOptional(),
};

/** An application that shows codes of the time (RFC 6238). */
const totpFactor = z.strictObject({
  ...basis,
  type: z.literal('totp'),
  /** Base32, sealed. */
  secret: z.string(),
  /** The latest step of 30 seconds whose code was used: neither it nor one before it is taken again. */
  lastStep: z.int(),
});

/** A credential of WebAuthn: a passkey, or a security key. */
const webAuthnFactor = z.strictObject({
  ...basis,
  type: z.literal('webauthn'),
  /** Base64url. */
  credentialId: z.string(),
  /** COSE, base64url. */
  publicKey: z.string(),
  counter: z.int(),
  transports: z.array(z.string()).readonly(),
  /** Whether it is part of the device, as the browser said. */
  isPlatform: z.boolean(),
  /** Whether it may be copied to other devices, and whether it has been. */
  isMultiDevice: z.boolean(),
  isBackedUp: z.boolean(),
  /** The model of the authenticator, as far as it tells. */
  aaguid: z.string(),
});

const smsFactor = z.strictObject({
  ...basis,
  type: z.literal('sms'),
  /** E.164. */
  number: z.string(),
});

/** Codes go to the address that the user has when they are sent. */
const emailFactor = z.strictObject({ ...basis, type: z.literal('email') });

const factorSchema = z.discriminatedUnion('type', [totpFactor, webAuthnFactor, smsFactor, emailFactor]);

/** The factors of a user. A record's id is the user's; it goes as a whole when the factors are reset. */
export const factorRecords = defineRecord({
  collection: 'user_factors',
  holds: 'second factors, passkeys and the digests of recovery codes',
  schema: z.strictObject({
    /** Confirmed ones alone. */
    factors: z.array(factorSchema).readonly(),
    /** Of the codes that are left, in place of a factor that is lost. */
    recovery: z
      .strictObject({ digests: z.array(z.string()).readonly(), madeAt: z.number() })
      .readonly()
      .exactOptional(),
  }),
  userKey: 'id',
});

export type TotpFactor = z.output<typeof totpFactor>;
export type WebAuthnFactor = z.output<typeof webAuthnFactor>;
export type Factor = z.output<typeof factorSchema>;
export type FactorRecord = DocumentOf<typeof factorRecords>;
export type FactorEntry = RecordEntry<FactorRecord>;
