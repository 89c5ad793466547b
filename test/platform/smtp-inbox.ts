import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, head and bodies. */
  readonly raw: string;
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
}

/** A real SMTP server on a free port of the loopback, which keeps what it is sent. */
export class SmtpInbox {
  readonly mails: ReceivedMail[] = [];
  readonly #server: SMTPServer;

  private constructor(server: (inbox: SmtpInbox) => SMTPServer) {
    this.#server = server(this);
  }

  static async open(options: SMTPServerOptions = {}): Promise<SmtpInbox> {
    const inbox = new SmtpInbox(
      (self) =>
        new SMTPServer({
          authOptional: true,
          disabledCommands: ['STARTTLS'],
          allowInsecureAuth: true,
          onData(stream, session, done) {
            const chunks: Buffer[] = [];
            stream.on('data', (chunk: Buffer) => chunks.push(chunk));
            stream.on('end', () => {
              const { mailFrom, rcptTo } = session.envelope;
              self.mails.push({
                from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
                to: rcptTo.map(({ address }) => address),
                raw: Buffer.concat(chunks).toString(),
                user: session.user as string | undefined,
                isEncrypted: session.secure === true,
              });
              done();
            });
          },
          ...options,
        }),
    );
    inbox.#server.on('error', () => {}); // of single connections, which the sender hears of
    await new Promise<void>((resolve) => inbox.#server.listen(0, '127.0.0.1', () => resolve()));
    return inbox;
  }

  get port(): number {
    const address = this.#server.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  /** As `RELATA_SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** The newest mail to an address; waits for it. */
  async mailTo(address: string, timeoutMs = 30_000): Promise<ReceivedMail> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const found = this.mails.findLast(({ to }) => to.includes(address));
      if (found !== undefined) return found;
      if (Date.now() > until) throw new Error(`no mail to ${address} came`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** The head of a mail by name, in lower case, with folded lines joined. */
export function mailHead({ raw }: Pick<ReceivedMail, 'raw'>): Map<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*:\s*/, '')]));
}

/** The text of both bodies, decoded. */
export function mailBodies({ raw }: Pick<ReceivedMail, 'raw'>): string {
  const soft = raw.replaceAll(/=\r\n/g, '');
  return soft.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
}
