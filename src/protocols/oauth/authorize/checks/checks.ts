import type { Check } from './check.ts';
import { checkClaims } from './check-claims.ts';
import { checkAcrValues, checkDpopKey, checkLoginHint, checkNonce } from './check-facts.ts';
import { checkGrant, checkOnce, checkPassedObjects, checkState } from './check-form.ts';
import { checkIdTokenHint } from './check-id-token-hint.ts';
import { checkPkce } from './check-pkce.ts';
import { checkMaxAge, checkPrompt } from './check-prompt.ts';
import { checkResource } from './check-resource.ts';
import { checkResponseMode, checkResponseType } from './check-response.ts';
import { checkScope } from './check-scope.ts';

/** The rules of an authorization request, in this order; the first that does not hold is told. */
export const checks: readonly Check[] = [
  checkPassedObjects,
  checkOnce,
  checkState,
  checkResponseMode,
  checkResponseType,
  checkGrant,
  checkScope,
  checkPkce,
  checkPrompt,
  checkMaxAge,
  checkNonce,
  checkResource,
  checkClaims,
  checkAcrValues,
  checkIdTokenHint,
  checkLoginHint,
  checkDpopKey,
];
