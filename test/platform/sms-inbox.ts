import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface ReceivedSms {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly raw: string;
}

/** What the next messages are answered with. */
export interface SmsAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A provider of short messages on a free port of the loopback: a real HTTP server, which keeps what it is sent. */
export class SmsInbox {
  readonly messages: ReceivedSms[] = [];
  answer: SmsAnswer = { status: 201 };
  readonly #server: Server;

  private constructor(server: (inbox: SmsInbox) => Server) {
    this.#server = server(this);
  }

  static async open(): Promise<SmsInbox> {
    const inbox = new SmsInbox((self) =>
      createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { url: path = '', headers } = request;
          self.messages.push({ path, headers, raw: Buffer.concat(chunks).toString() });
          const { status, headers: more = {}, body = '' } = self.answer;
          response.writeHead(status, more).end(body);
        });
      }),
    );
    await new Promise<void>((resolve) => inbox.#server.listen(0, '127.0.0.1', () => resolve()));
    return inbox;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}/messages`;
  }

  /** The latest message as a form. */
  form(): Record<string, string> {
    return Object.fromEntries(new URLSearchParams(this.messages.at(-1)?.raw));
  }

  /** The code of six digits in the latest message. */
  code(): string {
    const found = /\b\d{6}\b/.exec(this.form().Body ?? '');
    if (found === null) throw new Error('no code has come');
    return found[0];
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
