import { createHash } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import type { Store } from '#engine';
import type { ReplayCache } from '../../../identity/limits/index.ts';
import type { CommitEngine } from '../../../kernel/commits/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { ProofKeys, readProofKey } from './proof-key.ts';
import { spendProof } from './spent-proofs.ts';

/** The request that a proof must be made for. */
export interface ProvedRequest {
  /** Of the organization that it is made to. */
  readonly store: Store;
  readonly method: string;
  /** Absolute, made from the base URL and never from the Host header. */
  readonly url: string;
  /** At resources: the token that is used. */
  readonly accessToken?: string | undefined;
  /** The key that it is bound to. */
  readonly jkt?: string | undefined;
}

/** A key that its holder has proved to have; or what is wrong with the proof, for its maker to read. */
export type ProofResult = { readonly jkt: string } | { readonly fault: string };

const PROOF_MAX = 8192;
const JTI_MAX = 256;
const URL_MAX = 4096;
/** How old a proof may be, and how far the clock of its maker may be ahead. */
const AGE_MAX_MS = 60_000;
const AHEAD_MAX_MS = 15_000;
const RESTART_MS = 2000;

/** Checks proofs of possession (RFC 9449, 4.3). One is good for one request, whichever thread or node has it. */
export class ProofChecker {
  readonly #clock: Clock;
  readonly #spent: ReplayCache;
  readonly #engine: CommitEngine | undefined;
  readonly #keys = new ProofKeys();

  /**
   * @param spent what the threads of this node remember
   * @param engine on a node of a cluster: what all nodes remember
   */
  constructor(clock: Clock, spent: ReplayCache, engine?: CommitEngine) {
    this.#clock = clock;
    this.#spent = spent;
    this.#engine = engine;
  }

  /**
   * @param text the header `DPoP`; where it was sent twice there is a comma in it, and it is no proof
   * @throws EngineError `unavailable` on a node whose log takes nothing
   */
  async check(text: string, request: ProvedRequest): Promise<ProofResult> {
    const proof = text.length > PROOF_MAX ? undefined : await this.#proved(text);
    if (proof === undefined) return fault('The proof is malformed, or not signed by the key that it names.');
    const { jkt, payload } = proof;
    if (request.jkt !== undefined && request.jkt !== jkt) return fault('The token is bound to another key.');
    const wrong = claimFault(payload, request) ?? this.#timeFault(payload.iat);
    if (wrong !== undefined) return fault(wrong);
    return (await this.#spend(request.store, jkt, String(payload.jti))) ?? { jkt };
  }

  async #proved(text: string): Promise<{ readonly jkt: string; readonly payload: JWTPayload } | undefined> {
    try {
      const key = readProofKey(decodeProtectedHeader(text));
      if (key === undefined) return undefined;
      const options = { algorithms: [key.algorithm], typ: 'dpop+jwt', currentDate: new Date(this.#clock.now()) };
      const { payload } = await jwtVerify(text, await this.#keys.imported(key), options);
      return { jkt: key.thumbprint, payload };
    } catch {
      // whatever is wrong with what a stranger sent, it proves nothing
      return undefined;
    }
  }

  #timeFault(iat: number | undefined): string | undefined {
    const now = this.#clock.now();
    if (iat === undefined || !Number.isFinite(iat)) return 'iat is missing.';
    const issuedAt = iat * 1000;
    if (issuedAt > now + AHEAD_MAX_MS) return 'iat is in the future.';
    if (issuedAt + 1000 <= now - AGE_MAX_MS) return 'The proof is too old.';
    // proofs from before the service began are not remembered; no restart takes less than this
    const isForgotten = this.#engine === undefined && issuedAt + RESTART_MS < this.#spent.startedAt;
    return isForgotten ? 'The proof is older than this service: make a new one.' : undefined;
  }

  async #spend(store: Store, jkt: string, jti: string): Promise<{ readonly fault: string } | undefined> {
    const now = this.#clock.now();
    const key = `dpop\n${jkt}\n${jti}`;
    const until = now + AGE_MAX_MS + AHEAD_MAX_MS + 1000;
    const spent = this.#spent.spend(key, until, now);
    if (spent === 'full') return fault('Too many proofs at once: try again.');
    if (spent === 'again') return usedBefore;
    if (this.#engine === undefined) return undefined;
    return (await spendProof(this.#engine, store, { key, until })) ? undefined : usedBefore;
  }
}

function claimFault({ jti, htm, htu, ath }: JWTPayload, { method, url, accessToken }: ProvedRequest) {
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX) return 'jti is missing.';
  if (htm !== method) return 'htm is not the method of this request.';
  if (typeof htu !== 'string' || targetOf(htu) !== targetOf(url)) return 'htu is not the URL of this request.';
  if (accessToken === undefined) return undefined;
  const digest = createHash('sha256').update(accessToken).digest('base64url');
  return ath === digest ? undefined : 'ath is not of this access token.';
}

/** Without query and fragment, in the normal form of URLs. */
function targetOf(text: string): string | undefined {
  if (text.length > URL_MAX || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

const usedBefore = { fault: 'The proof was used before.' } as const;

function fault(text: string): { readonly fault: string } {
  return { fault: text };
}
