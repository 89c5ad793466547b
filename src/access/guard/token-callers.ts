import { BoundedMap } from '#engine';
import { scimScope, serviceScopes } from '../../directory/permissions/index.ts';
import { agencyBounds, agentRecords, networksOf } from '../../directory/records/index.ts';
import type { Caller, Organization } from '../../kernel/organizations/index.ts';
import type { AddressList } from '../../platform/index.ts';
import { type TokenVerifier, tokenAsRead, type VerifiedToken } from '../../protocols/oauth/index.ts';
import { type Judgement, SubjectCaller } from './callers.ts';
import { mayProvision, provisionerOf } from './provisioning-callers.ts';

/** Verifies access tokens, and tells whether a verified one is still valid. */
export type AccessTokens = Pick<TokenVerifier, 'verify' | 'goodUntil' | 'elevationBehind'>;

interface KnownToken {
  readonly caller: SubjectCaller;
  /** The same where people and groups are provisioned; absent where the token, or its client now, has not the scope. */
  provisioner: Caller | undefined;
  readonly token: VerifiedToken;
  /** From where it is accepted, where an agent has it; `undefined`: from everywhere. */
  networks: AddressList | undefined;
  /** The caller at endpoints of SCIM while the client has the scope `scim`; `undefined` if the token does not have it. */
  readonly scoped: Caller | undefined;
  /** The revision at which its record was last read, and the time until which it is valid by that. */
  revision: number;
  goodUntil: number;
}

/** The callers with an access token, and the token. */
export type TokenCaller = Readonly<Pick<KnownToken, 'caller' | 'provisioner' | 'token' | 'networks'>>;

const KNOWN_MAX = 10_000;

/**
 * Caches the callers with access tokens, in one thread. A signature is verified once. After each change of the revision,
 * and when one of them expires, the token, its grant, session, client and key are checked again. So a revoked token fails
 * with the next request in every thread.
 */
export class TokenCallers {
  readonly #judgement: Judgement;
  readonly #tokens: AccessTokens;
  readonly #known = new BoundedMap<string, KnownToken>(KNOWN_MAX);

  constructor(judgement: Judgement, tokens: AccessTokens) {
    this.#judgement = judgement;
    this.#tokens = tokens;
  }

  /** The caller with a cached token that is still valid. To be called inside `Engine.read`. */
  recall(organization: Organization, text: string): TokenCaller | undefined {
    const { engine, clock } = this.#judgement;
    const known = this.#known.get(text);
    if (known?.caller.organization !== organization) return undefined;
    const revision = engine.revision();
    if (known.revision !== revision || clock.now() >= known.goodUntil) {
      const goodUntil = this.#tokens.goodUntil(organization, known.token);
      if (goodUntil === undefined) {
        this.#known.delete(text);
        return undefined;
      }
      known.revision = revision;
      known.goodUntil = goodUntil;
      known.networks = networksOfToken(organization.store, known.token);
      known.provisioner =
        known.scoped && mayProvision(organization.store, known.token.clientId) ? known.scoped : undefined;
    }
    return known;
  }

  /** Verifies a token, and caches its caller. */
  async load(organization: Organization, text: string): Promise<TokenCaller | undefined> {
    const { engine, clock } = this.#judgement;
    const token = await this.#tokens.verify(organization, text);
    if (token === undefined || !(token.isForApi || token.isForMcp)) return undefined;
    const { id, keyId, clientId, subject, scopes, expiresAt, isFirstParty, agency } = token;
    const seesRights = token.seesRights && !isForServiceAlone(scopes);
    const bounds = agency && engine.read(() => agencyBounds(organization, agency, clock.now()));
    if (agency !== undefined && bounds === undefined) return undefined;
    const identity = { subject, scopes, expiresAt, seesRights, isFirstParty, actor: token.actor?.subject, ...bounds };
    const caller = new SubjectCaller(organization, identity, this.#judgement, {
      isStillValid: () => engine.read(() => this.#tokens.goodUntil(organization, token) !== undefined),
      credentialPreconditions: () => tokenAsRead(organization.store, token),
    });
    const reference = { kind: 'access_token', id, keyId, clientId } as const;
    // what an agency reaches are permissions, however they are called
    const scoped =
      scopes.includes(scimScope) && agency === undefined
        ? provisionerOf(organization, identity, reference, this.#judgement)
        : undefined;
    // the revision may have moved since: the first recall checks again
    const unchecked = { provisioner: undefined, networks: undefined, revision: Number.NaN, goodUntil: 0 };
    this.#known.set(text, { ...unchecked, caller, scoped, token });
    return engine.read(() => this.recall(organization, text));
  }
}

/** The networks of the agent that has the token, whomever it acts for. */
function networksOfToken(
  store: Organization['store'],
  { isOfAgent, clientId }: VerifiedToken,
): AddressList | undefined {
  const agent = isOfAgent ? agentRecords.get(store, clientId) : undefined;
  return agent && networksOf(agent.document);
}

/** Such a token opens SCIM or security events alone, and not what other callers may ask about themselves. */
function isForServiceAlone(scopes: readonly string[]): boolean {
  return scopes.length > 0 && scopes.every((scope) => serviceScopes.has(scope));
}
