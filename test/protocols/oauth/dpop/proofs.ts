import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** What a test says otherwise than a good client does. Undefined leaves a member out. */
export interface ProofWish {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A client's key, and proofs by it. */
export class ProofMaker {
  readonly jwk: JWK;
  readonly jkt: string;
  readonly algorithm: string;
  readonly #key: CryptoKey;
  readonly #now: () => number;

  private constructor(made: { jwk: JWK; jkt: string; algorithm: string; key: CryptoKey; now: () => number }) {
    this.jwk = made.jwk;
    this.jkt = made.jkt;
    this.algorithm = made.algorithm;
    this.#key = made.key;
    this.#now = made.now;
  }

  static async make(now: () => number, algorithm = 'ES256'): Promise<ProofMaker> {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(publicKey);
    const jkt = await calculateJwkThumbprint(jwk);
    return new ProofMaker({ jwk, jkt, algorithm, key: privateKey as CryptoKey, now });
  }

  proof(method: string, url: string, accessToken?: string, { claims, header }: ProofWish = {}): Promise<string> {
    const ath = accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') };
    const iat = Math.floor(this.#now() / 1000);
    const payload = { jti: randomUUID(), htm: method, htu: url, iat, ...ath, ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(payload)))
      .setProtectedHeader({ typ: 'dpop+jwt', alg: this.algorithm, jwk: this.jwk, ...header })
      .sign(this.#key);
  }
}
