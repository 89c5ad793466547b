import { digestOf, randomText } from '../../../../platform/index.ts';

/** 43 characters of 62 are 256 random bits. */
const SECRET_LENGTH = 43;

export interface MintedSecret {
  /** To be shown once. */
  readonly secret: string;
  readonly digest: string;
}

/** A client secret, or a registration access token. */
export function mintSecret(): MintedSecret {
  const secret = randomText(SECRET_LENGTH);
  return { secret, digest: digestOf(secret) };
}
