import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { expect } from 'vitest';
import { caep, type ReceivedEvent } from '../transmitter-world.ts';

/** What a stream says of itself, as far as its tokens must agree. */
export interface CheckedStream {
  readonly iss: string;
  readonly aud: string;
}

/** A key set as it is served. */
export type KeySet = readonly Readonly<Record<string, string>>[];

/** Every token of a stream (`verifyParsedSetEnvelope`). @param now milliseconds */
export async function checkedSet(token: string, keys: KeySet, stream: CheckedStream, now: number) {
  const header = decodeProtectedHeader(token);
  expect(header).toMatchObject({ alg: 'RS256', typ: 'secevent+jwt' });
  const { n = '' } = keys.find(({ kid }) => kid === header.kid) ?? {};
  expect(Buffer.from(n, 'base64url').length * 8).toBeGreaterThanOrEqual(2048);
  const keySet = createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
  const payload = (await jwtVerify(token, keySet, { currentDate: new Date(now) })).payload as unknown as ReceivedEvent;
  checkEnvelope(payload, stream, now);
  return payload;
}

function checkEnvelope(payload: ReceivedEvent & JWTPayload, { iss, aud }: CheckedStream, now: number): void {
  for (const name of ['sub', 'exp']) expect(payload).not.toHaveProperty(name);
  expect(payload.iss).toBe(iss);
  expect([payload.aud].flat()).toContain(aud);
  expect(payload.jti).toMatch(/./);
  expect(payload.iat).toBeLessThanOrEqual(now / 1000);
  expect(typeof payload.txn).toBe('string');
  expect(typeof payload.sub_id.format).toBe('string');
  const bodies = Object.values(payload.events);
  expect(bodies).toHaveLength(1);
  expect(bodies.every((body) => typeof body === 'object' && body !== null && !Array.isArray(body))).toBe(true);
}

const initiators = ['admin', 'user', 'policy', 'system'];
/** RFC 5646, 2.1, as far as anybody uses it. */
const languageTag = /^[a-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/;

/** An event of CAEP (`validateCaepEventSubject`, `OIDSSFValidateCaepCommonOptionalFields`, `validateCaepEventFields`). */
export function checkCaep(event: ReceivedEvent): void {
  const [type = '', body = {}] = Object.entries(event.events)[0] ?? [];
  expect(['email', 'iss_sub', 'complex']).toContain(event.sub_id.format);
  if (event.sub_id.format === 'complex') {
    for (const part of Object.values(event.sub_id)) {
      if (typeof part === 'object') expect(part).toHaveProperty('format');
    }
  }
  expect(body.event_timestamp).toBeGreaterThan(0);
  expect(body.event_timestamp).toBeLessThan(100_000_000_000);
  expect(initiators).toContain(body.initiating_entity);
  // CAEP Interoperability Profile 1.0, 3.1 and 3.2
  const reasons = Object.entries((body.reason_admin ?? {}) as Readonly<Record<string, unknown>>);
  expect(reasons.length).toBeGreaterThan(0);
  for (const [language, reason] of reasons) {
    expect(language).toMatch(languageTag);
    expect(reason).toMatch(/./);
  }
  if (type !== `${caep}/credential-change`) return;
  expect(body.credential_type).toMatch(/./);
  expect(['create', 'revoke', 'update', 'delete']).toContain(body.change_type);
}
