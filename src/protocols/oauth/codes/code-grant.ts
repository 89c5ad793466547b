import { createHash } from 'node:crypto';
import type { Store } from '#engine';
import { liveToken, revokeToken } from '../../../identity/sessions/index.ts';
import { type RequestFacts, systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { equalSecrets } from '../../../platform/index.ts';
import { consentId, consentRecords } from '../consent/consents.ts';
import { oauthError } from '../errors/index.ts';
import type { Grant, TokenRequest } from '../grants/grant.ts';
import { issueToUser } from '../grants/issue-to-user.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import type { TokenResponse } from '../tokens/index.ts';
import { type CodeEntry, type CodeRecord, codeRecords, findCode, type SpentCode } from './code-record.ts';

const CODE_MAX = 256;
/** RFC 7636, 4.1. */
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

/** What an authorization code is exchanged for (RFC 6749, 4.1.3), once. */
export const authorizationCode: Grant = {
  type: 'authorization_code',
  async issue(dependencies, request): Promise<TokenResponse> {
    const { code } = request.form;
    if (code === undefined || code.length > CODE_MAX) throw oauthError('invalid_request', 'code is missing.');
    await endIfSpent(dependencies, request, code);
    const { document } = dependencies.engine.read(() =>
      unspent(request.organization.store, request, code, dependencies.clock.now()),
    );
    try {
      return await tokensFor(dependencies, request, code, document);
    } catch (error) {
      // another request may have come between
      await endIfSpent(dependencies, request, code);
      throw error;
    }
  },
};

function tokensFor(
  dependencies: ProtocolDependencies,
  request: TokenRequest,
  code: string,
  { userId, sessionId, scopes: asked, resources, openId }: CodeRecord,
): Promise<TokenResponse> {
  // an administrator may have taken some away meanwhile
  const scopes = asked.filter((scope) => request.client.document.scopes.includes(scope));
  const agreed = { userId, sessionId, scopes, resources, openId };
  return issueToUser(dependencies, request, agreed, (transaction, spent) => {
    const { id, document } = transaction.rely(codeRecords, unspent(transaction.store, request, code, transaction.now));
    transaction.put(codeRecords, id, { ...document, spent });
    // what a user has taken back meanwhile is not handed out
    if (document.expectedConsentVersions && transaction.get(consentRecords, consentId(document)) === undefined) {
      throw notValid();
    }
  });
}

/** Somebody has a code that was used: what it was spent for ends (RFC 6749, 4.1.2). */
async function endIfSpent(dependencies: ProtocolDependencies, request: TokenRequest, code: string): Promise<void> {
  const { organization, facts } = request;
  const spent = dependencies.engine.read(() => findCode(organization.store, code)?.document.spent);
  if (spent !== undefined) await takeBack(dependencies, organization, spent, facts);
}

/**
 * Inside a snapshot.
 * @throws ProblemError `invalid_grant`, the same whatever is wrong with the code
 */
function unspent(store: Store, request: TokenRequest, code: string, now: number): CodeEntry {
  const entry = findCode(store, code);
  if (entry === undefined || entry.document.spent !== undefined || now >= entry.document.expiresAt) throw notValid();
  requireBound(entry.document, request);
  return entry;
}

/** A code is good only in the hands that it was given to (RFC 9700, 4.5; RFC 9449, 10). */
function requireBound(document: CodeRecord, { client, form, proof }: TokenRequest): void {
  if (document.clientId !== client.id) throw notValid();
  if (document.redirectUri !== form.redirect_uri) {
    throw oauthError('invalid_grant', 'redirect_uri does not match the authorization request.');
  }
  requireVerifier(document.codeChallenge, form.code_verifier);
  if (document.dpopJkt !== undefined && document.dpopJkt !== proof?.jkt) {
    throw oauthError('invalid_grant', 'The code is bound to another key.');
  }
}

/** Also where there was no challenge: a verifier then means that somebody has taken it out (RFC 9700, 4.8.2). */
function requireVerifier(challenge: string | undefined, verifier: string | undefined): void {
  if (challenge === undefined && verifier === undefined) return;
  const isForm = verifier !== undefined && verifierForm.test(verifier);
  const computed = isForm ? createHash('sha256').update(verifier).digest('base64url') : '';
  if (challenge === undefined || !equalSecrets(computed, challenge)) {
    throw oauthError('invalid_grant', 'code_verifier does not match the authorization request.');
  }
}

async function takeBack(
  dependencies: ProtocolDependencies,
  organization: Organization,
  { accessId, grantId }: SpentCode,
  facts: RequestFacts,
): Promise<void> {
  await transactAs(dependencies, organization, systemActor, facts, (transaction) => {
    const entry = liveToken(transaction.store, grantId ?? accessId, transaction.now);
    if (entry !== undefined) revokeToken(transaction, entry, 'code_reuse');
  });
}

function notValid() {
  return oauthError('invalid_grant', 'The code is not valid: it was used, has expired or is not for this client.');
}
