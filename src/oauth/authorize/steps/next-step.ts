import type { Store } from '#engine';
import type { Problem } from '../../../http/index.ts';
import type { SessionEntry } from '../../../sessions/index.ts';
import type { ClientEntry } from '../../clients/index.ts';
import { needsConsent } from '../../consent/needed-consent.ts';
import { oauthProblem } from '../../errors/index.ts';
import { classOf, methodsOf } from '../../id-tokens/index.ts';
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
  /** When this browser began with the request: who signed in since then did it for its sake. */
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
  if (isSilent) return refuse('consent_required', 'The user has to agree.');
  return { kind: 'consent', session: signedIn };
}

/** `undefined` where who is signed in is who is asked for, and has proved it lately and surely enough. */
function missingSignIn({ request, session, begunAt, now }: Standing): Step | undefined {
  const isSilent = request.prompts.includes('none');
  if (session === undefined) return { kind: 'sign_in', fresh: false, mfa: demandsFactors(request, []) !== 'no' };
  const { userId, authTime } = session.document;
  const isForThis = begunAt !== undefined && authTime >= begunAt;
  const factors = demandsFactors(request, methodsOf(session.document));
  // a wish is none that somebody who is not there could meet
  const mfa = factors === 'must' || (factors === 'wish' && !isSilent);
  const again: Step = { kind: 'sign_in', fresh: true, mfa };
  if (request.hintedUser !== undefined && request.hintedUser !== userId) {
    return isForThis ? refuse('login_required', 'Another user than the expected one has signed in.') : again;
  }
  if (isForThis) {
    return factors === 'must'
      ? refuse('unmet_authentication_requirements', 'The user has not proved enough.')
      : undefined;
  }
  const { maxAge } = request;
  const isOld = maxAge !== undefined && (maxAge === 0 || now - authTime > maxAge * 1000);
  return isOld || mfa || request.prompts.some((prompt) => proving.has(prompt)) ? again : undefined;
}

/** Prompts at which the user shows anew who it is. */
const proving: ReadonlySet<string> = new Set(['login', 'select_account', 'create']);

/**
 * Whether more factors are asked for than these methods have: `must` where the request cannot do without (OpenID
 * Connect Core, 5.5.1.1).
 */
function demandsFactors({ claims, acrValues }: AuthorizationRequest, amr: readonly string[]): 'no' | 'wish' | 'must' {
  const reached = classOf(amr);
  if (claims?.acr !== undefined && !claims.acr.includes(reached)) return 'must';
  const wished = acrValues?.find((value) => value === '1' || value === '2');
  return wished === '2' && reached === '1' ? 'wish' : 'no';
}

function refuse(code: Parameters<typeof oauthProblem>[0], description: string): Step {
  return { kind: 'refuse', problem: oauthProblem(code, description) };
}
