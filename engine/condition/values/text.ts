import { Duration } from './duration.ts';
import { Uint } from './uint.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NANOSECONDS = 1_000_000_000n;

/** `string()`, written as cel-go writes it. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Date) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  throw new Error('string() cannot convert this value');
}

/** RFC 3339 in UTC, with as many digits of a second as it has: `2026-01-01T00:00:00.5Z`. */
function timestampText(instant: Date): string {
  return instant.toISOString().replace(/\.(\d*?)0*Z$/, (_, digits: string) => (digits === '' ? 'Z' : `.${digits}Z`));
}

/** Seconds: `5400s`, `-1.5s`. Beyond the 53 bits of a double, digits are lost, as in cel-go. */
function durationText({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / NANOSECONDS) + Number(nanoseconds % NANOSECONDS) / 1e9;
  return `${plainText(seconds)}s`;
}

/** As Go's `%g`: the fewest digits that tell the number apart, and an exponent from a million on or below 0.0001. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return plainText(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Without an exponent; only for numbers below 1e21. */
function plainText(value: number): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, '')}`;
}

function bytesText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Error('string() needs bytes that are UTF-8');
  }
}
