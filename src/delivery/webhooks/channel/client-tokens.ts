import { z } from 'zod';
import { BoundedMap } from '#engine';
import { type OutboundAnswer, OutboundError, type OutboundGuard, outboundRequest } from '../../../platform/index.ts';

export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
}

interface Token {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const KNOWN_MAX = 2048;
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Where the answer says nothing of it. */
const LIFETIME_MS = 300_000;
const LIFETIME_MAX_MS = 3_600_000;
/** A token that is about to end would end on its way. */
const MARGIN_MS = 45_000;

const answerSchema = z.looseObject({
  access_token: z
    .string()
    .min(1)
    .max(8192)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().min(0).optional(),
});

/** Access tokens by client credentials (RFC 6749, 4.4), until they end. Requests for one at a time wait for each other. */
export class ClientTokens {
  readonly #known = new BoundedMap<string, Token>(KNOWN_MAX);
  readonly #asked = new Map<string, Promise<Token>>();

  /** @throws OutboundError where none is given out */
  async get(guard: OutboundGuard, key: string, credentials: ClientCredentials, now: number): Promise<string> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.text;
    const before = this.#asked.get(key);
    if (before !== undefined) return (await before).text;
    const asked = ask(guard, credentials, now);
    this.#asked.set(key, asked);
    try {
      const token = await asked;
      this.#known.set(key, token);
      return token.text;
    } finally {
      this.#asked.delete(key);
    }
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

async function ask(
  guard: OutboundGuard,
  { tokenUrl, clientId, clientSecret, scope }: ClientCredentials,
  now: number,
): Promise<Token> {
  // RFC 6749, 2.3.1: both are form-encoded first
  const [user = '', password = ''] = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ _: text }).toString().slice(2),
  );
  const answer = await outboundRequest(guard, {
    url: tokenUrl,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope === undefined ? {} : { scope }),
    }).toString(),
    timeoutMs: TIMEOUT_MS,
    bodyMax: ANSWER_BYTES_MAX,
  });
  const { access_token: text, expires_in: seconds } = readToken(answer);
  const lifetime = seconds === undefined ? LIFETIME_MS : Math.min(seconds * 1000, LIFETIME_MAX_MS);
  return { text, until: now + lifetime - MARGIN_MS };
}

function readToken({ status, body }: OutboundAnswer) {
  if (status !== 200) throw new OutboundError('failed', `the token endpoint answered ${status}`);
  try {
    return answerSchema.parse(JSON.parse(body.toString('utf8')));
  } catch (cause) {
    throw new OutboundError('failed', 'the token endpoint answered no bearer token', cause);
  }
}
