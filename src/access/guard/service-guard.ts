import { scimScope } from '../../directory/permissions/index.ts';
import { notAdmitted } from '../../directory/records/index.ts';
import { type Access, type Guard, Problem, problem, shown, tooManyRequests, type Visit } from '../../http/index.ts';
import type { Guesses } from '../../identity/limits/index.ts';
import { factsOf, type RequestFacts } from '../../kernel/audit/index.ts';
import type { Caller, Organization, OrganizationDirectory, RequireHeard } from '../../kernel/organizations/index.ts';
import { type SystemPermission, scopeCovers } from '../../kernel/rights/index.ts';
import { digestOf, equalDigests } from '../../platform/index.ts';
import { clientRecords, type ProofChecker, permissionsScope } from '../../protocols/oauth/index.ts';
import { isProvisioned } from '../../protocols/scim/index.ts';
import { type Judgement, superAdministrator } from './callers.ts';
import { Challenges } from './challenges.ts';
import { ComingRequests } from './coming-requests.ts';
import {
  type Credential,
  type KeyCredential,
  type KeysOfKind,
  readCredential,
  type SentProof,
  sentProof,
} from './credentials.ts';
import { adminKeys, agentKeys, isOutside, KeyCallers, type KnownKey, scimTokens } from './key-callers.ts';
import { clientScopeOf, includesScope, isForMcp, isForScim, outOfScope } from './scopes.ts';
import { type AccessTokens, type TokenCaller, TokenCallers } from './token-callers.ts';

/** The caller of the platform's own endpoints, which belong to no organization. */
export const platformCaller = { kind: 'platform' } as const;

export type ServiceCaller = Caller | typeof platformCaller;

type KeyUse = KeysOfKind['use'];

export interface GuardDependencies extends Judgement {
  readonly directory: OrganizationDirectory;
  /** `digestOf` the super administrator's key. */
  readonly platformDigest: string;
  /** Writes the `super_admin.access` entry of an organization; resolves when it is on disk. */
  readonly recordSuperAccess: (caller: Caller, visit: Visit) => Promise<void>;
  readonly guesses: Pick<Guesses, 'waitBefore' | 'accepted' | 'refused'>;
  /** Where the last use of every accepted API key is noted. */
  readonly keyUse: KeyUse;
  /** The same for keys of agents. */
  readonly agentUse: KeyUse;
  /** The same for SCIM tokens. */
  readonly scimTokenUse: KeyUse;
  readonly tokens: AccessTokens;
  /** On a node of a cluster. */
  readonly requireHeard: RequireHeard | undefined;
  /** Checks proofs of possession of tokens that are bound to a key. */
  readonly proofs: Pick<ProofChecker, 'check'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Called when a good credential of an agent comes from an address that is not admitted: it may have been stolen. */
  readonly refusedElsewhere: (organization: Organization, agentId: string, facts: RequestFacts) => void;
  /** Called when an elevated token is refused, with the elevation and the status of the answer. */
  readonly elevatedRefused: (organization: Organization, taskId: string, visit: Visit, status: number) => void;
  /** Called with every valid access token from where it is admitted, to record its last use. */
  readonly tokenUsed: (caller: Caller, tokenId: string) => void;
}

/**
 * The only guard: authenticates the caller and checks the permission, as a rule in the turn of the request. It waits for
 * the first verification of an access token, for proofs of possession, and for the audit entry of a super administrator.
 */
export class ServiceGuard implements Guard<ServiceCaller> {
  readonly #dependencies: GuardDependencies;
  readonly #keys: KeysOfKind;
  readonly #agentKeys: KeysOfKind;
  readonly #scimTokens: KeysOfKind;
  readonly #tokens: TokenCallers;
  readonly #challenges: Challenges;
  readonly foresee: ComingRequests['foresee'];

  constructor(dependencies: GuardDependencies) {
    this.#dependencies = dependencies;
    this.#keys = { callers: new KeyCallers(dependencies, adminKeys), use: dependencies.keyUse };
    this.#agentKeys = { callers: new KeyCallers(dependencies, agentKeys), use: dependencies.agentUse };
    this.#scimTokens = { callers: new KeyCallers(dependencies, scimTokens), use: dependencies.scimTokenUse };
    this.#tokens = new TokenCallers(dependencies, dependencies.tokens);
    this.#challenges = new Challenges(dependencies.baseUrl);
    this.foresee = new ComingRequests(dependencies.engine.lookAhead()).foresee;
  }

  authenticate(visit: Visit): ServiceCaller | Problem | Promise<ServiceCaller | Problem> {
    const credential = readCredential(visit);
    switch (credential.kind) {
      case 'none':
        return this.#challenges.unknown(visit);
      case 'conflict':
        return this.#challenges.invalid(visit, 'Two credentials were sent, and they differ.');
      case 'malformed':
        return this.#challenges.invalid(visit, 'The credential is malformed.');
      case 'token':
        return this.#withToken(visit, credential);
      default:
        return this.#judged(visit, credential);
    }
  }

  authorize(caller: ServiceCaller, access: Access, visit: Visit): Problem | undefined | Promise<Problem | undefined> {
    if ('kind' in caller)
      return access === 'platform' ? undefined : problem('forbidden', 'This needs a credential of the organization.');
    if (access === 'platform') return problem('forbidden', 'This needs the platform key.');
    if (isForScim(visit)) return this.#authorizeScim(caller);
    const scope = clientScopeOf(visit);
    if (scope !== undefined) return includesScope(caller.scopes ?? [], scope) ? undefined : outOfScope(scope);
    if (caller.subject === undefined) return this.#dependencies.recordSuperAccess(caller, visit).then(() => undefined);
    if (typeof access === 'string' || 'resource' in access) {
      return caller.seesRights ? undefined : outOfScope(permissionsScope);
    }
    if ('scope' in access) return outOfScope(access.scope);
    // endpoints name permissions of the system's table; nobody has one that is not there
    if (caller.may(access.permission as SystemPermission)) return undefined;
    return scopeCovers(caller.scopes, access.permission)
      ? problem('forbidden', `This needs the permission ${access.permission}.`)
      : outOfScope(access.permission);
  }

  /** The caller has a credential of SCIM. Its permissions are checked by each operation. */
  #authorizeScim({ organization }: Caller): Problem | undefined {
    const isOn = this.#dependencies.engine.read(() => isProvisioned(organization.store));
    return isOn ? undefined : problem('forbidden', 'SCIM is switched off in the settings of this organization.');
  }

  /** A token that was verified before and is bound to no key is accepted in this turn. */
  #withToken(visit: Visit, sent: SentToken): ServiceCaller | Problem | Promise<ServiceCaller | Problem> {
    const { engine, directory } = this.#dependencies;
    if (visit.endpoint.access === 'platform') return this.#refused(visit);
    this.#dependencies.requireHeard?.('token');
    const slug = slugOf(visit);
    const known = engine.read(() => {
      const organization = directory.find(slug);
      return organization && { organization, found: this.#tokens.recall(organization, sent.token) };
    });
    if (known === undefined) return this.#refused(visit);
    const { organization, found } = known;
    if (found === undefined) return this.#prove(visit, organization, sent);
    return sent.scheme === 'bearer' && found.token.jkt === undefined
      ? this.#used(visit, found)
      : this.#withProof(visit, organization, sent, found);
  }

  async #prove(visit: Visit, organization: Organization, sent: SentToken): Promise<ServiceCaller | Problem> {
    const { guesses } = this.#dependencies;
    const { token } = sent;
    const seconds = guesses.waitBefore(visit.clientAddress(), token);
    if (seconds !== undefined) return tooManyRequests(seconds);
    const proving = sentProof(visit);
    const found = await this.#tokens.load(organization, token);
    if (found === undefined) return this.#ended(visit, organization, token);
    guesses.accepted(token);
    return sent.scheme === 'bearer' && found.token.jkt === undefined
      ? this.#used(visit, found)
      : this.#withProof(visit, organization, sent, found, proving);
  }

  /** For a token that is bound to a key (RFC 9449, 7), or is sent with the scheme of such a token. */
  async #withProof(
    visit: Visit,
    organization: Organization,
    { token, scheme }: SentToken,
    { token: { jkt } }: TokenCaller,
    proof: SentProof = sentProof(visit),
  ): Promise<ServiceCaller | Problem> {
    const { engine, proofs, baseUrl } = this.#dependencies;
    if (jkt === undefined)
      return this.#challenges.invalid(visit, 'The token is not bound to a key: send it as Bearer.');
    if (scheme === 'bearer') return this.#challenges.unproved(visit, 'The token is bound to a key: send it as DPoP.');
    const request = {
      store: organization.store,
      method: visit.endpoint.method,
      url: baseUrl + proof.path,
      accessToken: token,
      jkt,
    };
    const result = await proofs.check(proof.text, request);
    if ('fault' in result) return this.#challenges.unproved(visit, result.fault, 'invalid_dpop_proof');
    // it may have ended while the proof was checked
    const current = engine.read(() => this.#tokens.recall(organization, token));
    return current === undefined ? this.#refused(visit) : this.#used(visit, current);
  }

  #used(visit: Visit, { caller, provisioner, token, networks }: TokenCaller): Caller | Problem {
    if (!(token.isForApi || isForMcp(visit))) return this.#refused(visit);
    if (isOutside(visit, networks)) {
      const { organization, agency } = caller;
      const refusal = this.#elsewhere(visit, caller, token.clientId);
      if (agency?.kind === 'elevation') {
        this.#dependencies.elevatedRefused(organization, agency.id, visit, refusal.kind.status);
      }
      return refusal;
    }
    this.#dependencies.tokenUsed(caller, token.id);
    if (isForScim(visit)) return provisioner ?? outOfScope(scimScope);
    const scope = clientScopeOf(visit);
    return scope === undefined || this.#actsForItself(caller, token, scope) ? caller : outOfScope(scope);
  }

  /** Whether a token is a client's own, and the client still has the scope: no tuple says what such a token may. */
  #actsForItself({ organization }: Caller, { userId, actor, clientId }: TokenCaller['token'], scope: string): boolean {
    if (userId !== undefined || actor !== undefined) return false;
    const client = this.#dependencies.engine.read(() => clientRecords.get(organization.store, clientId));
    return client !== undefined && includesScope(client.document.scopes, scope);
  }

  /** The answer to a token that is not valid. The refusal of an elevated one is noted with its elevation. */
  async #ended(visit: Visit, organization: Organization, token: string): Promise<Problem> {
    const { tokens, elevatedRefused } = this.#dependencies;
    const refusal = this.#refused(visit);
    const taskId = await tokens.elevationBehind(organization, token);
    if (taskId !== undefined) elevatedRefused(organization, taskId, visit, refusal.kind.status);
    return refusal;
  }

  #refused(visit: Visit): Problem {
    this.#dependencies.guesses.refused(visit.clientAddress());
    return this.#challenges.invalid(visit);
  }

  #judged(visit: Visit, credential: KeyCredential): ServiceCaller | Problem {
    const { engine } = this.#dependencies;
    // nothing has changed since this revision, so that no read is needed
    const isCurrent = credential.known?.revision === engine.revision();
    const found =
      (isCurrent ? this.#recall(visit, credential) : undefined) ??
      engine.read(() => this.#recall(visit, credential) ?? this.#identify(visit, credential));
    if (found instanceof Problem && found.kind.status === 401)
      this.#dependencies.guesses.refused(visit.clientAddress());
    return found;
  }

  /** Nearly every request. With many organizations, each look-up would miss the processor's caches. */
  #recall(visit: Visit, { known, keptBy }: KeyCredential): ServiceCaller | Problem | undefined {
    if (known === undefined || keptBy === undefined || visit.endpoint.access === 'platform' || isForScim(visit))
      return undefined;
    if (known.organization.slug !== slugOf(visit)) return undefined;
    return keptBy.callers.stands(known) ? this.#accepted(visit, known, keptBy.use) : undefined;
  }

  #identify(visit: Visit, credential: KeyCredential): ServiceCaller | Problem {
    const { directory, guesses } = this.#dependencies;
    const { key } = credential;
    const isOfPlatform = visit.endpoint.access === 'platform';
    const slug = slugOf(visit);
    const isScim = isForScim(visit);
    const keys = this.#keysFor(isScim, key);
    const { callers, use } = keys;
    const organization = isOfPlatform ? undefined : directory.find(slug);
    let found = organization && callers.recall(organization, key);
    if (found === undefined) {
      const seconds = guesses.waitBefore(visit.clientAddress(), key);
      if (seconds !== undefined) return tooManyRequests(seconds);
      found = organization && callers.load(organization, key);
      if (found !== undefined) guesses.accepted(key);
    }
    if (!isScim && !isOfPlatform) {
      credential.known = found;
      credential.keptBy = keys;
    }
    if (found !== undefined) return this.#accepted(visit, found, use);
    const isPlatform = !isScim && equalDigests(digestOf(key), this.#dependencies.platformDigest);
    if (!isPlatform) return this.#challenges.invalid(visit);
    guesses.accepted(key);
    if (isOfPlatform) return platformCaller;
    if (organization !== undefined) return superAdministrator(organization);
    return problem('not_found', `There is no organization ${shown(slug)}.`);
  }

  #accepted(visit: Visit, found: KnownKey, use: KeyUse): Caller | Problem {
    this.#dependencies.requireHeard?.('key');
    if (isOutside(visit, found.networks)) return this.#elsewhere(visit, found.caller, found.id);
    found.noteUse(use);
    return found.caller;
  }

  #keysFor(isScim: boolean, key: string): KeysOfKind {
    if (isScim) return this.#scimTokens;
    return key.startsWith(agentKeyPrefix) ? this.#agentKeys : this.#keys;
  }

  /** A credential of an agent that is good, and comes from where it is not accepted. */
  #elsewhere(visit: Visit, { organization }: Caller, agentId: string): Problem {
    this.#dependencies.refusedElsewhere(organization, agentId, factsOf(visit));
    return notAdmitted();
  }
}

const agentKeyPrefix = 'rlt_agent_';

function slugOf({ params }: Visit): string {
  return params.tenant ?? params.orgId ?? '';
}

type SentToken = Extract<Credential, { kind: 'token' }>;
