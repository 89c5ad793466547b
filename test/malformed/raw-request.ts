import { connect } from 'node:net';

/** What came back over one connection: the status lines in order, and whether the server closed it. */
export interface RawAnswer {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly isClosed: boolean;
}

export interface RawOptions {
  /** Sent after a pause each, so that they arrive as packets of their own. */
  readonly more?: readonly (string | Buffer)[];
  readonly pauseMs?: number;
  /** How long to wait for an end of silence, once so many answers have come. */
  readonly quietMs?: number;
  readonly answers?: number;
  readonly waitMs?: number;
}

/** Sends bytes as they are, and reads until the server closes or falls silent. */
export function sendRaw(port: number, head: string | Buffer, options: RawOptions = {}): Promise<RawAnswer> {
  const { more = [], pauseMs = 20, quietMs = 1000, answers = 1, waitMs = 30_000 } = options;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let isClosed = false;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve({ statuses: statusesOf(text), text, isClosed });
    };
    const limit = setTimeout(finish, waitMs);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      clearTimeout(quiet);
      if (statusesOf(text).length >= answers) quiet = setTimeout(finish, quietMs);
    });
    // a reset is a closed connection too
    socket.on('error', () => {});
    socket.on('close', () => {
      isClosed = true;
      finish();
    });
    socket.write(head);
    for (const [place, chunk] of more.entries()) {
      setTimeout(
        () => {
          if (socket.writable) socket.write(chunk);
        },
        pauseMs * (place + 1),
      );
    }
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
