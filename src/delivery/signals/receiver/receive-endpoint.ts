import { bytes, type Endpoint, endpointFor, ProblemError, problem, tooManyRequests } from '../../../http/index.ts';
import type { Guesses } from '../../../identity/limits/index.ts';
import { type FailureLog, factsOf, type RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization, OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { digestOf, equalDigests, type OutboundGuard } from '../../../platform/index.ts';
import { claimedIssuer, proveToken, receiverProblems, refusedToken, renderReceiver } from './event-token.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { findIssuer, type IssuerEntry } from './records/issuer-record.ts';
import { takeEvent } from './take-event.ts';

export interface ReceiverDependencies extends AdminDependencies {
  readonly directory: Pick<OrganizationDirectory, 'find'>;
  readonly outbound: OutboundGuard;
  readonly guesses: Pick<Guesses, 'waitBefore' | 'accepted' | 'refused'>;
  readonly failures: Pick<FailureLog, 'note'>;
}

const endpoint = endpointFor<never>();
const BODY_MAX = 65_536;
const SECRET_MAX = 256;

/** Where issuers push their events (RFC 8935). */
export function receiveEndpoint(dependencies: ReceiverDependencies): Endpoint {
  const { engine, directory, clock } = dependencies;
  const keys = new IssuerKeys(dependencies);
  return endpoint({
    method: 'POST',
    path: '/orgs/{orgId}/api/v1/signals/receive',
    summary: 'Receive a security event',
    description:
      'A security event token (RFC 8935) of an issuer that the organization believes. `session-revoked` and ' +
      '`credential-change` end the sessions and tokens of the user who is linked at the provider of the issuer. An event ' +
      'that was received before does nothing; nor does one about nobody who is known here. Both are answered with 202.',
    tags: ['Shared signals'],
    access: 'public',
    bodyForm: 'bytes',
    accepts: ['application/secevent+jwt'],
    bodyMax: BODY_MAX,
    renderer: renderReceiver,
    responses: { 202: { description: 'It was received.' } },
    errors: ['invalid_request', 'not_found', 'unavailable', ...Object.values(receiverProblems)],
    async handler(call) {
      const body: unknown = call.body;
      const facts = factsOf(call);
      const authorization = call.header('authorization');
      const token = Buffer.isBuffer(body) ? body.toString('latin1') : '';
      const organization = engine.read(() => directory.find(call.params.orgId));
      if (organization === undefined) throw new ProblemError(problem('not_found', 'There is no such organization.'));
      const claimed = claimedIssuer(token);
      const issuer = engine.read(() => findIssuer(organization.store, claimed));
      if (issuer === undefined) throw refusedToken('invalid_issuer');
      try {
        requireAllowed(dependencies, issuer, authorization, facts.clientAddress());
        const proved = await proveToken(keys, issuer.document, token, clock.now());
        await takeEvent(dependencies, organization, issuer, proved, facts);
      } catch (error) {
        note(dependencies, organization, issuer, facts, error);
        throw error;
      }
      return bytes(202, '', '');
    },
  });
}

/** @throws ProblemError `access_denied`, `authentication_failed`, 429 */
function requireAllowed(
  { guesses }: ReceiverDependencies,
  { id, document: { isActive, secretDigest } }: IssuerEntry,
  authorization: string,
  address: string,
): void {
  if (!isActive) throw refusedToken('access_denied');
  if (secretDigest === undefined) return;
  const secret = /^bearer +([\w-]+)$/i.exec(authorization)?.[1] ?? '';
  const credential = `${id}\n${secret}`;
  const seconds = guesses.waitBefore(address, credential);
  if (seconds !== undefined) throw new ProblemError(tooManyRequests(seconds));
  if (secret.length > SECRET_MAX || !equalDigests(digestOf(secret), secretDigest)) {
    guesses.refused(address);
    throw refusedToken('authentication_failed');
  }
  guesses.accepted(credential);
}

/** Administrators see why the events of an issuer are refused: in the audit log, once a minute with their count. */
function note(
  { failures }: ReceiverDependencies,
  organization: Organization,
  { id, document: { name } }: IssuerEntry,
  facts: RequestFacts,
  error: unknown,
): void {
  if (!(error instanceof ProblemError) || error.problem.kind.status !== 400) return;
  const { kind, detail } = error.problem;
  failures.note(organization, undefined, facts, {
    eventType: 'admin.action',
    action: 'signal.refuse',
    targetType: 'signal_issuer',
    targetId: id,
    metadata: { name, err: kind.code, detail },
  });
}
