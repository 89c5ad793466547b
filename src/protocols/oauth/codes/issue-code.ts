import { userActing } from '../../../directory/records/index.ts';
import { type OpenIdFacts, type SessionEntry, sessionBasis } from '../../../identity/sessions/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type OrganizationTransaction, transactAs } from '../../../kernel/transactions/index.ts';
import { digestOf, randomText } from '../../../platform/index.ts';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import { methodsOf } from '../id-tokens/id-token.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { CODE_MS, type CodeRecord, codeRecords } from './code-record.ts';

/** 43 characters of 62 are 256 random bits. */
const CODE_LENGTH = 43;

export interface CodeOrder {
  readonly request: AuthorizationRequest;
  readonly session: SessionEntry;
  /** Whether it counts only while the user's consent stands. */
  readonly expectedConsentVersions: boolean;
}

/**
 * A code for the user of this session (RFC 6749, 4.1.2); `undefined` where the session has just ended. `also` happens in
 * the same commit: that the request is over, that the user has agreed.
 */
export async function issueCode(
  dependencies: ProtocolDependencies,
  organization: Organization,
  asked: CodeOrder,
  facts: RequestFacts,
  also: (transaction: OrganizationTransaction) => void,
): Promise<string | undefined> {
  const { store } = organization;
  const code = randomText(CODE_LENGTH);
  const { session } = asked;
  const { userId } = session.document;
  return await transactAs(dependencies, organization, userActing(userId), facts, (transaction) => {
    const { now } = transaction;
    const basis = sessionBasis(store, { sessionId: session.id, userId }, now);
    if (basis === undefined) return undefined;
    transaction.expect(basis);
    transaction.put(codeRecords, digestOf(code), recordOf(asked, now));
    also(transaction);
    return code;
  });
}

function recordOf({ request, session, expectedConsentVersions }: CodeOrder, now: number): CodeRecord {
  const { clientId, redirectUri, scopes, nonce, claims, resources, codeChallenge, dpopJkt } = request;
  const { userId, authTime } = session.document;
  const openId: OpenIdFacts = {
    authTime,
    amr: methodsOf(session.document),
    ...(nonce === undefined ? {} : { nonce }),
    ...(claims === undefined ? {} : { claims }),
  };
  return {
    clientId,
    redirectUri,
    userId,
    sessionId: session.id,
    scopes,
    openId,
    expectedConsentVersions,
    expiresAt: now + CODE_MS,
    ...(resources === undefined ? {} : { resources }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
    ...(dpopJkt === undefined ? {} : { dpopJkt }),
  };
}
