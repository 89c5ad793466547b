import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Of the event loop, in which client and server, both in this process, finish what lies before them. */
const TURNS = 20;

export interface RawAnswer {
  readonly text: string;
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

export interface RawOptions {
  /** How long to wait after the last byte came in or was sent. */
  readonly quietMs?: number;
  /** Silence is no end before so many answers have come. */
  readonly answers?: number;
  /** Nor before the server has closed. */
  readonly untilClosed?: boolean;
}

/** For what must come: it is not there only where it never comes. */
const PATIENCE_MS = 20_000;

/** Sends bytes over a socket of its own, part by part, and gathers what comes back until the server closes or is quiet. */
export function sendRaw(
  port: number,
  dependencies: string | readonly string[],
  options: RawOptions = {},
): Promise<RawAnswer> {
  const { quietMs = 150, answers = 0, untilClosed = false } = options;
  const patientUntil = Date.now() + PATIENCE_MS;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let timer: NodeJS.Timeout;
    let heard = 0;
    const end = (closed: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.destroy();
      resolve({ text, closed });
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        // A process that had to wait for its turn sees that the time is over before it sees what has arrived.
        const before = heard;
        for (let turn = 0; turn < TURNS; turn++) await setImmediate();
        if (heard !== before) return;
        const isMissing = untilClosed || statusesOf({ text }).length < answers;
        if (isMissing && Date.now() < patientUntil) wait();
        else end(false);
      }, quietMs);
    };
    socket.on('data', (data) => {
      heard++;
      text += data.toString('latin1');
      wait();
    });
    socket.on('close', () => end(true));
    socket.on('error', () => {});
    socket.on(
      'connect',
      () => void writeDependencies(socket, typeof dependencies === 'string' ? [dependencies] : dependencies, wait),
    );
    wait();
  });
}

async function writeDependencies(socket: Socket, dependencies: readonly string[], written: () => void): Promise<void> {
  socket.setNoDelay(true);
  for (const part of dependencies) {
    if (socket.destroyed) return;
    socket.write(part, 'latin1');
    written();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The status codes of the answers in a raw text, in order, without interim ones. */
export function statusesOf({ text }: Pick<RawAnswer, 'text'>): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])).filter((status) => status >= 200);
}

export function headersOf({ text }: RawAnswer): Map<string, string> {
  const head = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n').slice(1);
  return new Map(
    head.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}

export function bodyOf({ text }: RawAnswer): string {
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}
