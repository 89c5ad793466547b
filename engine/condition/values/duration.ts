const TEXT_MAX = 64;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ns: 1n,
};
/** Go, and so cel-go, holds a duration in 64 bits of nanoseconds: about 292 years either way. */
const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

/** A length of time, to the nanosecond. Made by `parseDuration` and `durationOf`, which keep it in range. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/**
 * Reads Go's duration syntax (`time.ParseDuration`): `1h30m`, `-1.5h`, `300ms`, `0`. Anything finer than a nanosecond
 * is cut off. Linear in the text.
 */
export function parseDuration(text: string): Duration | undefined {
  if (text.length === 0 || text.length > TEXT_MAX) return undefined;
  const signed = text[0] === '-' || text[0] === '+';
  const body = signed ? text.slice(1) : text;
  if (body === '0') return new Duration(0n);
  let total = 0n;
  PART.lastIndex = 0;
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    const part = PART.exec(body);
    const nanoseconds = part === null ? undefined : readPart(part[1] ?? '', part[2] ?? '');
    if (nanoseconds === undefined) return undefined;
    total += nanoseconds;
  }
  return body.length === 0 ? undefined : durationOf(text[0] === '-' ? -total : total);
}

/** Undefined out of the range of a duration. */
export function durationOf(nanoseconds: bigint): Duration | undefined {
  if (nanoseconds > MAX || nanoseconds < MIN) return undefined;
  return new Duration(nanoseconds);
}

function readPart(number: string, unit: string): bigint | undefined {
  const scale = NANOSECONDS[unit];
  if (scale === undefined) return undefined;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = fraction.slice(0, 18);
  const part = digits === '' ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
  return BigInt(whole === '' ? '0' : whole) * scale + part;
}
