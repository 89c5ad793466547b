import { isIP } from 'node:net';
import { boundedTls } from '../network/bounded-tls.ts';
import { CodedError } from '../network/coded-error.ts';
import { OutboundError, type OutboundGuard } from '../network/outbound.ts';
import type { MailText } from './compose.ts';

/** Why a mail was not handed over. The server's own words are in `cause`, for the log alone. */
type MailErrorCode = 'not_configured' | 'refused_address' | 'failed';

export class MailError extends CodedError<MailErrorCode> {
  override readonly name = 'MailError';
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server has it. */
  readonly secure: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

export interface MailSender {
  readonly name?: string | undefined;
  readonly address: string;
}

export interface Mail extends MailText {
  /** One address: never a list. */
  readonly to: string;
  readonly from: MailSender;
  readonly replyTo?: string | undefined;
}

const CONNECT_MS = 10_000;
const GREETING_MS = 10_000;
const SILENCE_MS = 20_000;

/** Hands mails to an SMTP server, each on a connection of its own. */
export class Mailer {
  readonly #guard: OutboundGuard;
  readonly #operator: MailServer | undefined;

  /** @param operatorUrl `smtp://user:password@host:port` or `smtps://`; it may be in a private network */
  constructor(guard: OutboundGuard, operatorUrl: string | null) {
    this.#guard = guard;
    this.#operator = operatorUrl === null ? undefined : serverOf(new URL(operatorUrl));
  }

  /** Whether there is a server for those who bring none. */
  get hasOwnServer(): boolean {
    return this.#operator !== undefined;
  }

  /**
   * Resolves when the server has taken the mail.
   * @param server an organization's own, held to the rules for addresses that tenants choose
   * @throws MailError
   */
  async send(mail: Mail, server?: MailServer): Promise<void> {
    const target = server ?? this.#operator;
    if (target === undefined) throw new MailError('not_configured', 'no mail server is configured');
    const address = server === undefined ? target.host : await this.#addressOf(server.host);
    // loaded by the threads that send mail: its many files are a twentieth of what a thread loads to begin with
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(connection(target, address, server !== undefined && !this.#guard.allowsPrivate));
    try {
      await transport.sendMail({
        from: { name: oneLine(mail.from.name ?? ''), address: requireAddress(mail.from.address) },
        to: { name: '', address: requireAddress(mail.to) },
        ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: requireAddress(mail.replyTo) } }),
        subject: oneLine(mail.subject),
        text: mail.text,
        html: mail.html,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (cause) {
      if (cause instanceof MailError) throw cause;
      throw new MailError('failed', 'the mail server did not take the mail', cause);
    } finally {
      transport.close();
    }
  }

  async #addressOf(host: string): Promise<string> {
    try {
      return (await this.#guard.resolve(host)).address;
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause;
      const code = cause.code === 'refused_address' ? 'refused_address' : 'failed';
      throw new MailError(code, `the mail server: ${cause.message}`, cause);
    }
  }
}

/** @param requireTls a tenant's credentials go over no plain connection, whatever a server in between says */
function connection({ host, port, secure, user, password }: MailServer, address: string, requireTls: boolean) {
  return {
    host: address,
    port,
    secure,
    requireTLS: requireTls && !secure && user !== undefined,
    // the certificate is that of the name, and not of the address behind it
    tls: { ...boundedTls, ...(isIP(host) === 0 ? { servername: host } : {}) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
  };
}

function serverOf(url: URL): MailServer {
  const secure = url.protocol === 'smtps:';
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (secure ? 465 : 587) : Number(url.port);
  if (url.username === '') return { host, port, secure };
  return {
    host,
    port,
    secure,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

/** Line breaks would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function requireAddress(text: string): string {
  if (/[\s\p{Cc}<>,;:"()[\]\\]/u.test(text) || !/^[^@]+@[^@]+$/.test(text)) {
    throw new MailError('failed', 'not an address that mail can be sent to');
  }
  return text;
}
