import { z } from 'zod';
import { requestedClaimsSchema } from '../../claims/index.ts';

/** How the answer reaches the client (OAuth 2.0 Multiple Response Types, 2.1; OAuth 2.0 Form Post Response Mode). */
export const responseModes = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof responseModes)[number];

/** What the user is to be shown (OpenID Connect Core, 3.1.2.1; Initiating User Registration 1.0). */
const promptValues = ['none', 'login', 'consent', 'select_account', 'create'] as const;
export type Prompt = (typeof promptValues)[number];

/** The prompts of an organization: without registration there is no page for it. */
export function promptsWhere(allowSignup: boolean): readonly Prompt[] {
  return promptValues.filter((prompt) => allowSignup || prompt !== 'create');
}

/** Where the answer goes: known before anything else of a request is looked at. */
const answerTargetSchema = z.strictObject({
  clientId: z.string(),
  /** Registered for the client. */
  redirectUri: z.string(),
  responseMode: z.enum(responseModes),
  state: z.string().exactOptional(),
});

export type AnswerTarget = Readonly<z.output<typeof answerTargetSchema>>;

/** An authorization request that has passed every check. It can be stored. */
export const authorizationRequestSchema = z.strictObject({
  ...answerTargetSchema.shape,
  /** Those that the client may have. */
  scopes: z.array(z.string()).readonly(),
  /** `S256` of the verifier (RFC 7636, 4.2). */
  codeChallenge: z.string().exactOptional(),
  nonce: z.string().exactOptional(),
  prompts: z.array(z.enum(promptValues)).readonly(),
  /** Seconds. */
  maxAge: z.number().exactOptional(),
  /** The user that an ID token named: nobody else is to be signed in. */
  hintedUser: z.string().exactOptional(),
  loginHint: z.string().exactOptional(),
  /** In the order of preference. */
  acrValues: z.array(z.string()).readonly().exactOptional(),
  claims: requestedClaimsSchema.exactOptional(),
  /** APIs that tokens may be asked for. */
  resources: z.array(z.string()).readonly().exactOptional(),
  /** Thumbprint of the key that the tokens are to be bound to (RFC 9449, 10). */
  dpopJkt: z.string().exactOptional(),
  /** Only earlier versions have written these. Nothing reads them. */
  locales: z.string().exactOptional(),
  resource: z.string().exactOptional(),
});

export type AuthorizationRequest = Readonly<z.output<typeof authorizationRequestSchema>>;
