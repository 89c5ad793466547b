import { CodedError } from '../network/coded-error.ts';
import { OutboundError, OutboundGuard } from '../network/outbound.ts';
import { outboundRequest } from '../network/outbound-client.ts';

/** Why a message was not handed over. The provider's own words are in `cause`, for the log alone. */
export type SmsErrorCode = 'not_configured' | 'refused_address' | 'failed';

export class SmsError extends CodedError<SmsErrorCode> {
  override readonly name = 'SmsError';
}

/** How providers want a message: the fields `To`, `From` and `Body` of a form, or a JSON object `{to, from, text}`. */
export const smsFormats = ['form', 'json'] as const;
type SmsFormat = (typeof smsFormats)[number];

export interface SmsProvider {
  readonly url: string;
  readonly format: SmsFormat;
  /** A number or a name, as the provider has agreed to. */
  readonly from?: string | undefined;
  /** Basic authentication, where a provider has accounts with passwords. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Bearer authentication; it goes before the other one. */
  readonly token?: string | undefined;
}

export interface Sms {
  /** One number in the form of E.164: `+4915112345678`. */
  readonly to: string;
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
const ANSWER_MAX = 64 * 1024;
const TEXT_MAX = 1000;
/** Of an answer that is no success, for the log. */
const QUOTE_MAX = 500;

const bodies: Readonly<Record<SmsFormat, (sms: Sms, from: string | undefined) => { type: string; body: string }>> = {
  form: ({ to, text }, from) => ({
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ To: to, ...(from === undefined ? {} : { From: from }), Body: text }).toString(),
  }),
  json: ({ to, text }, from) => ({ type: 'application/json', body: JSON.stringify({ to, from, text }) }),
};

/** Hands short messages to a provider over HTTP, each in a request of its own. */
export class SmsGateway {
  readonly #guard: OutboundGuard;
  readonly #operator: SmsProvider | undefined;

  /** @param operator of the service; it may be in a private network */
  constructor(guard: OutboundGuard, operator: SmsProvider | undefined) {
    this.#guard = guard;
    this.#operator = operator;
  }

  /** Whether there is a provider for those who bring none. */
  get hasOwnProvider(): boolean {
    return this.#operator !== undefined;
  }

  /**
   * Resolves when the provider has taken the message, with a status of 200 to 299.
   * @param provider an organization's own, held to the rules for addresses that tenants choose
   * @throws SmsError
   */
  async send(sms: Sms, provider?: SmsProvider): Promise<void> {
    const target = provider ?? this.#operator;
    if (target === undefined) throw new SmsError('not_configured', 'no provider of short messages is configured');
    if (!/^\+[1-9]\d{6,14}$/.test(sms.to) || sms.text.length > TEXT_MAX) {
      throw new SmsError('failed', 'not a message that can be sent');
    }
    const { type, body } = bodies[target.format](sms, target.from);
    const answer = await this.#post(
      target,
      provider !== undefined,
      { 'content-type': type, ...authorization(target) },
      body,
    );
    if (answer.status < 200 || answer.status > 299) {
      const words = answer.body.subarray(0, QUOTE_MAX).toString();
      throw new SmsError('failed', 'the provider did not take the message', `${answer.status} ${words}`);
    }
  }

  async #post({ url }: SmsProvider, isTenants: boolean, headers: Readonly<Record<string, string>>, body: string) {
    const guard = isTenants ? this.#guard : operators;
    try {
      return await outboundRequest(guard, {
        url,
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        body,
        timeoutMs: TIMEOUT_MS,
        bodyMax: ANSWER_MAX,
      });
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause;
      const isRefused = cause.code === 'refused_address' || cause.code === 'refused_url';
      throw new SmsError(isRefused ? 'refused_address' : 'failed', `the provider: ${cause.message}`, cause);
    }
  }
}

/** The operator's own provider is no address that a tenant chose. */
const operators = new OutboundGuard(true);

function authorization({ user, password, token }: SmsProvider): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
}

/** What the operator's settings name; `undefined` where they name none. */
export function smsProviderOf(settings: {
  readonly smsUrl: string | null;
  readonly smsFormat: SmsFormat;
  readonly smsFrom: string | null;
  readonly smsUser: string | null;
  readonly smsPassword: string | null;
  readonly smsToken: string | null;
}): SmsProvider | undefined {
  const { smsUrl: url, smsFormat: format, smsFrom, smsUser, smsPassword, smsToken } = settings;
  if (url === null) return undefined;
  return {
    url,
    format,
    from: smsFrom ?? undefined,
    user: smsUser ?? undefined,
    password: smsPassword ?? undefined,
    token: smsToken ?? undefined,
  };
}
