import type { Store } from '#engine';
import type { Problem } from '../../../../http/index.ts';
import { listFactors } from '../../../../identity/mfa/index.ts';
import type { SessionEntry } from '../../../../identity/sessions/index.ts';
import type { ClientEntry } from '../../clients/index.ts';
import { needsConsent } from '../../consent/needed-consent.ts';
import { oauthProblem } from '../../errors/index.ts';
import { type AuthenticationClass, authenticationClasses, classOf, methodsOf } from '../../id-tokens/id-token.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';

/** What stands between a request and its code. */
export type Step =
  | { readonly kind: 'sign_in'; readonly fresh: boolean; readonly mfa: boolean }
  | { readonly kind: 'consent'; readonly session: SessionEntry }
  | { readonly kind: 'code'; readonly session: SessionEntry }
  | { readonly kind: 'refuse'; readonly problem: Problem };

export interface Standing {
  readonly store: Store;
  readonly client: ClientEntry;
  readonly request: AuthorizationRequest;
  readonly session: SessionEntry | undefined;
  /** When this browser began the request: a later sign-in was made for it. */
  readonly begunAt: number | undefined;
  /** Whether the user has just agreed. */
  readonly hasAgreed: boolean;
  readonly now: number;
}

/** To be called inside a snapshot. */
export function nextStep(standing: Standing): Step {
  const { store, client, request, session, hasAgreed } = standing;
  const isSilent = request.prompts.includes('none');
  const missing = missingSignIn(standing);
  if (missing !== undefined) {
    if (missing.kind === 'sign_in' && isSilent) return refuse('login_required', 'The user has to sign in.');
    return missing;
  }
  // a session that is missing would have been missed above
  const signedIn = session as SessionEntry;
  const parties = { userId: signedIn.document.userId, sessionId: signedIn.id };
  if (hasAgreed || !needsConsent(store, client, request, parties)) return { kind: 'code', session: signedIn };
  if (isSilent) return refuse('consent_required', 'The user has to give consent.');
  return { kind: 'consent', session: signedIn };
}

/** `undefined` where the right user is signed in, and has proved it lately and surely enough. */
function missingSignIn({ store, request, session, begunAt, now }: Standing): Step | undefined {
  const essential = essentialClass(request);
  if (essential === 'unknown') return refuse('unmet_authentication_requirements', 'This acr is not supported.');
  const mfa = essential === '2';
  if (session === undefined) return { kind: 'sign_in', fresh: false, mfa };
  const { userId, authTime } = session.document;
  const isForThis = begunAt !== undefined && authTime >= begunAt;
  const again: Step = { kind: 'sign_in', fresh: true, mfa };
  if (request.hintedUser !== undefined && request.hintedUser !== userId) {
    return isForThis ? refuse('login_required', 'A different user has signed in than expected.') : again;
  }
  const isWeak = classOf(methodsOf(session.document)) === '1';
  if (isForThis) {
    const isShort = mfa && isWeak;
    return isShort
      ? refuse('unmet_authentication_requirements', 'The authentication of the user is not strong enough.')
      : undefined;
  }
  const { maxAge, prompts } = request;
  const isOld = maxAge !== undefined && (maxAge === 0 || now - authTime > maxAge * 1000);
  const couldBeSurer = wishesFactors(request) && listFactors(store, userId).length > 0;
  const isTooWeak = isWeak && (mfa || couldBeSurer);
  return isOld || isTooWeak || prompts.some((prompt) => proving.has(prompt)) ? again : undefined;
}

/** Prompts at which the user shows anew who it is. */
const proving: ReadonlySet<string> = new Set(['login', 'select_account', 'create']);

/** What the sign-in must reach at least (OpenID Connect Core, 5.5.1.1). */
function essentialClass({ claims }: AuthorizationRequest): AuthenticationClass | 'unknown' {
  if (claims?.acr === undefined) return '1';
  return authenticationClasses.find((each) => claims.acr?.includes(each)) ?? 'unknown';
}

/**
 * Whether two factors would be welcome. Users with several are asked for them at every sign-in; users without, or who
 * are not there to be asked, are let in without.
 */
function wishesFactors({ acrValues, prompts }: AuthorizationRequest): boolean {
  const first = acrValues?.find((value) => authenticationClasses.some((each) => each === value));
  return first === '2' && !prompts.includes('none');
}

function refuse(code: Parameters<typeof oauthProblem>[0], description: string): Step {
  return { kind: 'refuse', problem: oauthProblem(code, description) };
}
