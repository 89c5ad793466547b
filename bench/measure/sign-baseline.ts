import { generateKeyPairSync, sign } from 'node:crypto';

/** Signatures a second of one thread that does nothing else, and what one costs the processor. */
export interface SignRate {
  readonly perSecond: number;
  readonly microsEach: number;
}

const BATCH = 200;
/** About as long as the head and the claims of an access token. */
const SIGNED_BYTES = 600;

/** `crypto.sign` with a key of the kind that signs access tokens: ECDSA over P-256 (ES256). */
export class SignBaseline {
  readonly #key = {
    key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    dsaEncoding: 'ieee-p1363',
  } as const;
  readonly #content = Buffer.alloc(SIGNED_BYTES, 'a');

  measure(seconds: number): SignRate {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    let signed = 0;
    while (performance.now() - startedAt < seconds * 1000) {
      for (let i = 0; i < BATCH; i++) sign('sha256', this.#content, this.#key);
      signed += BATCH;
    }
    const elapsed = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: signed / elapsed, microsEach: (user + system) / signed };
  }
}
