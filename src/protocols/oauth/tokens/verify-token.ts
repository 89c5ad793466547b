import { hash } from 'node:crypto';
import { type CryptoKey, decodeJwt, errors, importJWK, type JWTHeaderParameters, jwtVerify } from 'jose';
import { z } from 'zod';
import { BoundedMap, type Engine, type Precondition, type Store } from '#engine';
import { agencyCountsUntil, userSubject } from '../../../directory/records/index.ts';
import {
  type ActorChain,
  liveAsRead,
  liveToken,
  liveUntil,
  type OpenIdFacts,
  type TokenEntry,
  tokenRecords,
} from '../../../identity/sessions/index.ts';
import type { Agency, Organization, RequireHeard } from '../../../kernel/organizations/index.ts';
import type { RightCheck } from '../../../kernel/rights/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { permissionsScope } from '../claims/index.ts';
import { type ClientEntry, clientAt, clientSubject, isActiveClient, subjectOfClient } from '../clients/index.ts';
import { type IssuerUrls, issuerOf, issuerUrls } from '../issuer.ts';
import { algorithmNames, signingKeyRecords, verifyOwnJwt } from '../signing/index.ts';
import { accessTokenType } from './access-token.ts';

export interface VerificationDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly rights: RightCheck;
  readonly baseUrl: string;
  /** On a node of a cluster. */
  readonly requireHeard?: RequireHeard | undefined;
}

/** An access token whose signature and claims are right. Whether it still counts is asked of the store each time. */
export interface VerifiedToken {
  readonly id: string;
  readonly keyId: string;
  readonly clientId: string;
  /** Absent where the client acts for itself. */
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  /** Whether its client is an agent. */
  readonly isOfAgent: boolean;
  /** As the engine knows it. */
  readonly subject: string;
  /** Who acts for the subject. Both must be allowed what the token is used for. */
  readonly actor: ActorChain | undefined;
  /** Why the one who acts may: bounds what it may, and ends the token. */
  readonly agency: Agency | undefined;
  readonly openId: OpenIdFacts | undefined;
  /** Thumbprint of the key that its holder must prove; absent where having the token is enough. */
  readonly jkt: string | undefined;
  readonly scopes: readonly string[];
  readonly audience: string;
  /** Whether its client may see what its subject may do. */
  readonly seesRights: boolean;
  /** Whether administrators have registered its client. */
  readonly isFirstParty: boolean;
  /** Whether that is the organization's own API. */
  readonly isForApi: boolean;
  /** Whether it is the part of that API which speaks the Model Context Protocol. */
  readonly isForMcp: boolean;
  readonly issuer: string;
  /** `sub`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** What a token's text says, once its signature was verified. This stays true; the rest is asked each time. */
interface Proof {
  readonly id: string;
  readonly keyId: string;
  readonly clientId: unknown;
  readonly name: string | undefined;
  readonly audience: unknown;
}

/** Longer ones are none of ours: our claims are bounded. */
const TOKEN_MAX = 4096;
const ID_MAX = 128;
const KEYS_MAX = 4096;
const PROOFS_MAX = 10_000;
/** A token of a later time was issued by a clock that was wrong. */
const FUTURE_MAX_MS = 5 * 60_000;
/** Parameters that name a key of the token's own choice (RFC 8725, 3.10). */
const foreignKeys = ['jwk', 'jku', 'x5u', 'x5c'];

/** Proves access tokens of this service, in one thread. */
export class TokenVerifier {
  readonly #dependencies: VerificationDependencies;
  /** Public keys by organization and `kid`. */
  readonly #keys = new BoundedMap<string, CryptoKey>(KEYS_MAX);
  /** By digest of organization and text, which is not kept. */
  readonly #proofs = new BoundedMap<string, Proof>(PROOFS_MAX);

  constructor(dependencies: VerificationDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The token, whomever it is for, where it was issued by this organization, is not changed, expired or revoked.
   * @throws ProblemError 503 where this node does not know what was revoked
   */
  async verify(organization: Organization, text: string): Promise<VerifiedToken | undefined> {
    const { engine, clock, baseUrl } = this.#dependencies;
    this.#dependencies.requireHeard?.('token');
    if (text.length > TOKEN_MAX) return undefined;
    const digest = hash('sha256', `${organization.id}\n${text}`, 'base64url');
    const proof = this.#proofs.get(digest) ?? (await this.#prove(organization, text, digest));
    if (proof === undefined) return undefined;
    const urls = issuerUrls(baseUrl, organization.slug);
    return engine.read(() => {
      const token = liveToken(organization.store, proof.id, clock.now());
      if (token === undefined || token.document.type !== 'access') return undefined;
      const { keyId, clientId, name, audience } = proof;
      const client = clientAt(organization.store, token.document.clientId);
      const verified = verifiedToken(token, keyId, client, urls);
      const isSame = verified.clientId === clientId && verified.name === name && verified.audience === audience;
      return isSame && this.stillCounts(organization, verified) ? verified : undefined;
    });
  }

  /**
   * The elevation of a token that does not count (any more); `undefined` where the token has none, or is not ours. The
   * signature is verified only if the token names one of an elevation.
   */
  async elevationBehind({ store, slug }: Organization, text: string): Promise<string | undefined> {
    const { engine, baseUrl } = this.#dependencies;
    const id = text.length > TOKEN_MAX ? undefined : claimedId(text);
    const agency = id === undefined ? undefined : engine.read(() => tokenRecords.get(store, id)?.document.agency);
    if (agency?.kind !== 'elevation') return undefined;
    const own = await verifyOwnJwt(engine, store, text);
    const isOurs =
      own?.type === accessTokenType && ownClaims.safeParse(own.claims).data?.iss === issuerOf(baseUrl, slug);
    return isOurs ? agency.id : undefined;
  }

  async #prove(organization: Organization, text: string, digest: string): Promise<Proof | undefined> {
    const { clock, baseUrl } = this.#dependencies;
    try {
      const { payload, protectedHeader } = await jwtVerify(text, (header) => this.#keyOf(organization, header), {
        algorithms: algorithmNames,
        typ: accessTokenType,
        issuer: issuerUrls(baseUrl, organization.slug).issuer,
        currentDate: new Date(clock.now()),
        // the others of RFC 9068, 2.2, must agree with the record
        requiredClaims: ['exp', 'iat', 'scope'],
      });
      const { jti: id = '', sub: name, aud: audience, client_id: clientId } = payload;
      const proof = { id, keyId: protectedHeader.kid ?? '', clientId, name, audience };
      this.#proofs.set(digest, proof);
      return proof;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Whether a token that was proved before is still good. To be called inside `Engine.read`. */
  stillCounts(organization: Organization, token: VerifiedToken): boolean {
    return this.goodUntil(organization, token) !== undefined;
  }

  /**
   * Until when a proved token is good, as long as nothing is committed. `undefined` where the token, or its grant,
   * session, client or signing key, is gone. To be called inside `Engine.read`.
   */
  goodUntil(organization: Organization, token: TokenReference): number | undefined {
    const { rights, clock } = this.#dependencies;
    const now = clock.now();
    const until = goodUntil(organization.store, token, now);
    if (until === undefined || token.agency === undefined) return until;
    const lentUntil = agencyCountsUntil({ organization, rights, now }, token.agency);
    return lentUntil && Math.min(until, lentUntil);
  }

  /** Only a key of the organization's own, and only for the algorithm that it was made for (RFC 8725, 3.1). */
  async #keyOf({ id, store }: Organization, header: JWTHeaderParameters): Promise<CryptoKey> {
    const { kid, alg } = header;
    if (typeof kid !== 'string' || kid.length > 64 || foreignKeys.some((name) => name in header)) throw unknownKey();
    const record = this.#dependencies.engine.read(() => signingKeyRecords.get(store, kid))?.document;
    if (record === undefined || record.algorithm !== alg) throw unknownKey();
    const name = `${id} ${kid}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    // a JWK of an elliptic curve or RSA is never a secret's bytes
    const key = (await importJWK({ ...record.publicJwk }, record.algorithm)) as CryptoKey;
    this.#keys.set(name, key);
    return key;
  }
}

/** A proved token, by the records that it depends on. */
export type TokenReference = Pick<VerifiedToken, 'id' | 'keyId' | 'clientId'> & Partial<Pick<VerifiedToken, 'agency'>>;

/** `TokenVerifier.goodUntil`, in any thread. */
export function goodUntil(store: Store, { id, keyId, clientId }: TokenReference, now: number): number | undefined {
  const token = tokenRecords.get(store, id)?.document;
  if (token === undefined || token.createdAt > now + FUTURE_MAX_MS) return undefined;
  const until = liveUntil(store, token, now);
  const isServed = signingKeyRecords.get(store, keyId) !== undefined && isActiveClient(store, clientId);
  return isServed ? until : undefined;
}

/**
 * The preconditions that a token, the records that it depends on, and its signing key are as they were read, in any
 * thread. Its client needs none: the tokens of a disabled client end with it. To be called inside `Engine.read`.
 */
export function tokenAsRead(store: Store, { id, keyId }: TokenReference): Precondition[] {
  return [...liveAsRead(store, id), signingKeyRecords.asRead(store, keyId, signingKeyRecords.get(store, keyId))];
}

/** The record counts; what the token says has only to agree. */
function verifiedToken(
  { id, document }: TokenEntry,
  keyId: string,
  client: ClientEntry | undefined,
  { issuer, api, mcp }: IssuerUrls,
): VerifiedToken {
  const { clientId, userId, sessionId, scopes, audience, jkt, actor, agency, openId, createdAt, expiresAt } = document;
  const kind = client?.document.kind;
  const own = client === undefined ? clientSubject(clientId) : subjectOfClient(client);
  return {
    id,
    keyId,
    issuer,
    clientId,
    userId,
    sessionId,
    isOfAgent: kind === 'agent',
    subject: userId === undefined ? own : userSubject(userId),
    actor,
    agency,
    openId,
    jkt,
    scopes,
    audience: audience ?? api,
    seesRights: kind === 'admin' || kind === 'agent' || scopes.includes(permissionsScope),
    isFirstParty: kind === 'admin',
    isForApi: audience === undefined,
    isForMcp: audience === mcp,
    name: userId ?? clientId,
    issuedAt: createdAt,
    expiresAt,
  };
}

const ownClaims = z.object({ iss: z.string() });

/** `jti`, of which nothing is believed yet. */
function claimedId(text: string): string | undefined {
  try {
    const { jti } = decodeJwt(text);
    return typeof jti === 'string' && jti.length <= ID_MAX ? jti : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function unknownKey(): errors.JOSEError {
  return new errors.JWKSNoMatchingKey();
}
