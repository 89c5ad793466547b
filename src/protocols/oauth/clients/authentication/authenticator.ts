import type { Engine } from '#engine';
import {
  agentRecords,
  type FederatedCredential,
  isAdmitted,
  notAdmitted,
} from '../../../../directory/records/index.ts';
import { ProblemError, problem, tooManyRequests } from '../../../../http/index.ts';
import type { Guesses } from '../../../../identity/limits/index.ts';
import type { RequestFacts } from '../../../../kernel/audit/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { type Clock, digestOf, equalDigests, type OutboundGuard } from '../../../../platform/index.ts';
import { RemoteKeys } from '../../remote-keys/index.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import { documentText, isDocumentAddress } from '../documents/document-address.ts';
import { clientAt, isServed } from '../records/client-at.ts';
import { optionOf } from '../records/client-options.ts';
import { type ClientDocument, type ClientEntry, provesBy } from '../records/client-record.ts';
import { type Claimed, claimsOfAssertion, federatedRule, ownRule, proveAssertion } from './assertion.ts';
import { type ClientForm, type Presented, readPresented, unknownClient } from './presented.ts';
import { spendAssertion } from './spent-assertions.ts';

export interface ClientAuthDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly guesses: Pick<Guesses, 'waitBefore' | 'accepted' | 'refused'>;
  readonly outbound: OutboundGuard;
  readonly documents: Pick<ClientDocuments, 'settle'>;
  /** Told of every client that was authenticated, for its time of last use. */
  readonly clientUsed: (store: string, client: ClientEntry) => void;
  /** Told where an agent has proved who it is from an address that is not admitted. */
  readonly refusedElsewhere: (organization: Organization, agentId: string, facts: RequestFacts) => void;
}

/** A request in which a client authenticates. */
export interface ClientRequest {
  /** The header; `''` where absent. */
  readonly authorization: string;
  readonly form: ClientForm;
  /** Who sends it: no request of its own, which is used again before the client is proved. */
  readonly facts: RequestFacts;
  /** What an assertion may be addressed to: the issuer, the token endpoint, and the endpoint itself. */
  readonly audiences: readonly string[];
  /** Whether a client that is a document may come here before it was anywhere else. */
  readonly mayBeNew: boolean;
}

/** Compared with where there is no client, or none with a secret, so that the time tells nothing. */
const noDigest = digestOf('');

/** Who is the client behind a request to the token, introspection or revocation endpoint? */
export class ClientAuthenticator {
  readonly #dependencies: ClientAuthDependencies;
  readonly #keys: RemoteKeys;

  constructor(dependencies: ClientAuthDependencies) {
    this.#dependencies = dependencies;
    this.#keys = new RemoteKeys(dependencies.outbound, dependencies.clock);
  }

  /**
   * A public client proves nothing: whoever needs a proof asks for `type`.
   * @throws ProblemError `invalid_client`, `invalid_request` (several methods), `rate_limited`; 403 for an agent that is
   *   not admitted from this address
   */
  async authenticate(organization: Organization, request: ClientRequest): Promise<ClientEntry> {
    const { guesses, clientUsed } = this.#dependencies;
    const address = request.facts.clientAddress();
    const presented = readPresented(request.authorization, request.form);
    const credential = credentialOf(organization, presented);
    const seconds = guesses.waitBefore(address, credential);
    if (seconds !== undefined) throw new ProblemError(tooManyRequests(seconds));
    await this.#settle(organization, presented, request.mayBeNew);
    const client = await this.#prove(organization, presented, request.audiences);
    if (client === undefined) {
      guesses.refused(address);
      throw unknownClient();
    }
    if (presented.by !== 'assertion') guesses.accepted(credential);
    this.#requireAdmitted(organization, client, request.facts);
    clientUsed(organization.store.name, client);
    return client;
  }

  /** A client that is a document is what the document says now: it may have other keys, or be no client any more. */
  async #settle(organization: Organization, { clientId }: Presented, mayBeNew: boolean): Promise<void> {
    if (clientId === undefined) return;
    const fault = await this.#dependencies.documents.settle(organization, clientId, { mayBeNew });
    if (fault?.isLasting) throw unknownClient();
    if (fault !== undefined) throw new ProblemError(problem('unavailable', documentText(clientId, fault)));
  }

  async #prove(
    organization: Organization,
    presented: Presented,
    audiences: readonly string[],
  ): Promise<ClientEntry | undefined> {
    switch (presented.by) {
      case 'name': {
        const client = this.#find(organization, presented.clientId);
        return client?.document.authMethod === 'none' ? client : undefined;
      }
      case 'secret': {
        const client = this.#find(organization, presented.clientId);
        const digest =
          client !== undefined && provesBy(client.document, 'secret') ? client.document.secretDigest : undefined;
        const isEqual = equalDigests(digestOf(presented.secret), digest ?? noDigest);
        return isEqual && digest !== undefined ? client : undefined;
      }
      case 'assertion':
        return this.#proveAssertion(organization, presented, audiences);
    }
  }

  async #proveAssertion(
    organization: Organization,
    { assertion, clientId }: Extract<Presented, { by: 'assertion' }>,
    audiences: readonly string[],
  ): Promise<ClientEntry | undefined> {
    const { engine, clock } = this.#dependencies;
    const claimed = claimsOfAssertion(assertion);
    if (claimed === undefined) return undefined;
    // one that the client has made says by itself whose it is
    const isOwn = claimed.issuer === claimed.subject;
    const named = isOwn ? claimed.subject : clientId;
    if (named === undefined || (clientId !== undefined && clientId !== named)) return undefined;
    const client = this.#find(organization, named);
    if (client === undefined || !provesBy(client.document, 'assertion')) return undefined;
    const rule = isOwn ? ownRule(client, audiences) : ruleOfOther(client, claimed);
    const proved = rule && (await proveAssertion(rule, assertion, this.#keys, clock.now()));
    if (proved === undefined) return undefined;
    const isFirst = await spendAssertion(engine, organization.store, client.id, proved);
    // checked again: while its keys were fetched, it may have been deleted or have got other keys
    const current = isFirst ? this.#find(organization, client.id) : undefined;
    return current !== undefined && hasSameKeys(current, client) ? current : undefined;
  }

  /** Judged by the record as it is now. @throws ProblemError 403 */
  #requireAdmitted(organization: Organization, { id, document }: ClientEntry, facts: RequestFacts): void {
    if (document.kind !== 'agent') return;
    const agent = this.#dependencies.engine.read(() => agentRecords.get(organization.store, id));
    if (agent !== undefined && isAdmitted(agent.document, facts.clientAddress())) return;
    this.#dependencies.refusedElsewhere(organization, id, facts);
    throw new ProblemError(notAdmitted());
  }

  /** A client that is active, and whose id is one at all. */
  #find({ store }: Organization, clientId: string): ClientEntry | undefined {
    if (!/^[\w-]{1,256}$/.test(clientId) && !isDocumentAddress(clientId, this.#dependencies.outbound)) return undefined;
    return this.#dependencies.engine.read(() => {
      const entry = clientAt(store, clientId);
      return entry !== undefined && isServed(store, entry) ? entry : undefined;
    });
  }
}

/** What the client says of the issuer that has made an assertion, and of the workload. */
function ruleOfOther({ document }: ClientEntry, { issuer, subject }: Claimed) {
  const isMeant = (each: FederatedCredential): boolean => each.issuer === issuer && each.subject === subject;
  const credential = optionOf(document, 'federatedCredentials').find(isMeant);
  return credential && federatedRule(credential);
}

function hasSameKeys({ document: now }: ClientEntry, { document: before }: ClientEntry): boolean {
  const keysOf = ({ authMethod, jwks, jwksUri, federatedCredentials }: ClientDocument) =>
    JSON.stringify([authMethod, jwks, jwksUri, federatedCredentials]);
  return keysOf(now) === keysOf(before);
}

/** What a good credential is remembered by, so that it still works while others are guessed. */
function credentialOf({ id }: Organization, presented: Presented): string {
  switch (presented.by) {
    case 'secret':
      return `${id}\n${presented.clientId}\n${presented.secret}`;
    case 'assertion':
      return `${id}\n${presented.assertion}`;
    case 'name':
      return `${id}\n${presented.clientId}`;
  }
}
