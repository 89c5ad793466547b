import { Secret, TOTP } from 'otpauth';

/** What every authenticator application knows (RFC 6238, and what the applications made of it). */
const PERIOD_S = 30;
const form = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;
/** As RFC 4226, 4 recommends. */
const SECRET_BYTES = 20;
/** Codes of so many steps before and after now are taken: clocks differ, and people take their time. */
const WINDOW = 1;

/** Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the picture says, and what a link opens the application with. */
export function totpUri(secret: string, { issuer, account }: { readonly issuer: string; readonly account: string }) {
  return new TOTP({ ...form, issuer, label: account, secret: Secret.fromBase32(secret) }).toString();
}

/** The step that a code is of; `undefined` where it is of none near now. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}
