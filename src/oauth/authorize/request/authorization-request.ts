import type { RequestedClaims } from '../../claims/index.ts';

/** How the answer reaches the client (OAuth 2.0 Multiple Response Types, 2.1; OAuth 2.0 Form Post Response Mode). */
export const responseModes = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof responseModes)[number];

/** What the user is to be shown (OpenID Connect Core, 3.1.2.1; Initiating User Registration 1.0). */
const promptValues = ['none', 'login', 'consent', 'select_account', 'create'] as const;
export type Prompt = (typeof promptValues)[number];

/** Those of an organization: who cannot make an account cannot be shown how. */
export function promptsWhere(allowSignup: boolean): readonly Prompt[] {
  return promptValues.filter((prompt) => allowSignup || prompt !== 'create');
}

/** Where the answer goes: known before anything else of a request is looked at. */
export interface AnswerTarget {
  readonly clientId: string;
  /** Registered for the client. */
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state?: string;
}

/** An authorization request that has passed every check. It can be stored. */
export interface AuthorizationRequest extends AnswerTarget {
  /** Those that the client may have. */
  readonly scopes: readonly string[];
  /** `S256` of the verifier (RFC 7636, 4.2). */
  readonly codeChallenge?: string;
  readonly nonce?: string;
  readonly prompts: readonly Prompt[];
  /** Seconds. */
  readonly maxAge?: number;
  /** The user that an ID token named: nobody else is to be signed in. */
  readonly hintedUser?: string;
  readonly loginHint?: string;
  /** In the order of preference. */
  readonly acrValues?: readonly string[];
  readonly claims?: RequestedClaims;
  /** APIs that tokens may be asked for. */
  readonly resources?: readonly string[];
  /** Thumbprint of the key that the tokens are to be bound to (RFC 9449, 10). */
  readonly dpopJkt?: string;
}
