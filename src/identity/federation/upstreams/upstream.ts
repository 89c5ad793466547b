import { z } from 'zod';
import type { OpenSecrets, ProviderRecord } from '../../providers/index.ts';

/** Fields of a profile that pass the rules of ours. */
const profileSchema = z
  .strictObject({
    name: z.string().exactOptional(),
    givenName: z.string().exactOptional(),
    familyName: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    locale: z.string().exactOptional(),
  })
  .readonly();

export type ExternalProfile = z.output<typeof profileSchema>;

/** What a provider says of who has come, in one shape for all types. */
export const identitySchema = z
  .strictObject({
    /** Who vouches: the issuer of the token or of the assertion. */
    issuer: z.string(),
    /** Who it is there, for good. */
    subject: z.string(),
    /** As the provider has it; absent where it tells none that is one. */
    email: z.string().optional(),
    /** The provider says that it has checked the address. */
    emailVerified: z.boolean(),
    /** The provider says that it has not. Earlier versions did not write it. */
    isEmailUnverified: z.boolean().default(false),
    /** The provider is believed about this address: it runs the domain, or the organization trusts it for that. */
    isTrustedForEmail: z.boolean(),
    profile: profileSchema,
  })
  .readonly();

export type ExternalIdentity = z.output<typeof identitySchema> & {
  /** What proved it, where it could be shown again: an assertion. It counts once, and is refused by its age `until` then. */
  readonly proof?: { readonly id: string; readonly until: number };
};

/** A provider as one attempt uses it. */
export interface OpenProvider {
  readonly record: ProviderRecord;
  readonly secrets: OpenSecrets;
  /** Where it sends people back to. */
  readonly callbackUrl: string;
}

/** What is remembered of an attempt until the browser comes back, in secret from the browser. */
export interface AttemptSecrets {
  /** Travels with the browser: the record is found by it. */
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
  /** Where a fresh sign-in was asked for: when. One there that is older does not count. Milliseconds since the epoch. */
  readonly freshSince?: number | undefined;
}

/** Parameters that came back with the browser, each at most once. */
export type AnswerParameters = Readonly<Record<string, string>>;

/** What the sign-in would like of the provider. */
export interface Wish {
  /** Who is likely to come. */
  readonly loginHint?: string | undefined;
  /** Whoever is signed in there should prove again who it is, where the provider can be asked for that. */
  readonly isFresh?: boolean | undefined;
}

/** How answers come back: in the query, or in a form from the provider's site, to which browsers add no cookies. */
export type AnswerBy = 'query' | 'form';

/** One type of provider: how it is asked, and what its answer means. */
export interface Upstream {
  /** What a session that began through it says of how. */
  readonly method: 'social' | 'sso';
  readonly answersBy: AnswerBy;
  /** Where the browser is sent. @throws UpstreamError */
  request(provider: OpenProvider, attempt: AttemptSecrets, wish: Wish): Promise<string>;
  /** What the other side is told of us, where there is a document for that. */
  readonly metadata?: (provider: OpenProvider) => Promise<string>;
  /** Who has come. @throws UpstreamError */
  answer(provider: OpenProvider, attempt: AttemptSecrets, answer: AnswerParameters): Promise<ExternalIdentity>;
}

/**
 * Why nobody came: `refused` the person did not go through with it; `unreachable` the provider could not be asked;
 * `rejected` its answer proves nothing; `not_admitted` its answer is about somebody who may not come this way;
 * `misconfigured` it does not accept how it was asked.
 */
export type UpstreamFault = 'refused' | 'unreachable' | 'rejected' | 'not_admitted' | 'misconfigured';

/** The message is for the log: what the outside answered is not for the page. */
export class UpstreamError extends Error {
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'UpstreamError';
    this.fault = fault;
  }
}
