import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { Random, SEED } from '../data/random.ts';
import type { BodyFile } from '../http/load/body-file.ts';

export interface OpenLoop {
  readonly hostname: string;
  readonly port: number;
  /** Of every request. */
  readonly head: string;
  readonly bodies: BodyFile;
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface OpenLoopReport {
  /** From when each request was due until its answer was there, in microseconds. */
  readonly times: Float64Array;
  /** In which these requests were due. */
  readonly seconds: number;
}

/** The first ones are not counted. */
const WARM_SHARE = 0.1;
/** Answers that are missing so long after the last request was due do not come. */
const PATIENCE_MS = 5_000;
const ANSWER_MAX = 65_536;
/** What comes is copied before anything else does. */
const received = Buffer.alloc(ANSWER_MAX);

/**
 * Sends requests when they are due, whatever came of those before them, at random distances as independent clients do.
 * It never sleeps: waking up would take longer than an answer.
 */
class OpenLoopClient {
  readonly #loop: OpenLoop;
  readonly #head: Buffer;
  readonly #bodies: Buffer;
  readonly #random = new Random(SEED);
  readonly #free: Connection[] = [];
  readonly #times: Float64Array;
  #counted = 0;
  #countsFrom = 0;
  #endsAt = 0;
  /** When the next request is due. */
  #due = 0;
  #sent = 0;

  constructor(loop: OpenLoop) {
    this.#loop = loop;
    this.#head = Buffer.from(loop.head, 'latin1');
    this.#bodies = readFileSync(loop.bodies.path);
    this.#times = new Float64Array(Math.ceil(1.5 * loop.perSecond * loop.seconds) + 1_000);
  }

  async run(): Promise<OpenLoopReport> {
    const { connections, seconds } = this.#loop;
    const opened = Array.from({ length: connections }, () => new Connection(this.#loop, this.#answered));
    await Promise.all(opened.map(({ socket }) => once(socket, 'connect')));
    this.#free.push(...opened);
    this.#due = performance.now();
    this.#endsAt = this.#due + seconds * 1000;
    this.#countsFrom = this.#due + WARM_SHARE * seconds * 1000;
    while (this.#sendDue()) await new Promise((resolve) => setImmediate(resolve));
    for (const { socket } of opened) socket.destroy();
    return { times: this.#times.slice(0, this.#counted), seconds: seconds * (1 - WARM_SHARE) };
  }

  /** @returns whether there is more to send or to wait for */
  #sendDue(): boolean {
    const { bodies, connections, perSecond } = this.#loop;
    let now = performance.now();
    for (; this.#due <= now && this.#due < this.#endsAt; now = performance.now()) {
      const connection = this.#free.pop();
      if (connection === undefined) break;
      const from = (this.#sent++ * bodies.width) % this.#bodies.length;
      connection.send(this.#due, Buffer.concat([this.#head, this.#bodies.subarray(from, from + bodies.width)]));
      this.#due += this.#random.exponential(1000 / perSecond);
    }
    const missing = connections - this.#free.length;
    if (now > this.#endsAt + PATIENCE_MS) throw new Error(`${missing} requests got no answer`);
    return this.#due < this.#endsAt || missing > 0;
  }

  readonly #answered = (connection: Connection, due: number): void => {
    this.#free.push(connection);
    if (due >= this.#countsFrom && this.#counted < this.#times.length) {
      this.#times[this.#counted++] = (performance.now() - due) * 1000;
    }
  };
}

/** Has one request on its way, or is free. An error of its socket ends the thread. */
class Connection {
  readonly socket: Socket;
  readonly #answer = Buffer.alloc(ANSWER_MAX);
  #used = 0;
  #due = 0;

  constructor({ hostname, port }: OpenLoop, answered: (connection: Connection, due: number) => void) {
    const callback = (bytes: number): boolean => {
      this.#used += received.copy(this.#answer, this.#used, 0, bytes);
      if (isWhole(this.#answer.subarray(0, this.#used))) {
        this.#used = 0;
        answered(this, this.#due);
      }
      return true;
    };
    this.socket = connect({ host: hostname, port, noDelay: true, onread: { buffer: received, callback } });
    this.socket.on('end', () => this.socket.destroy(new Error('the server ended a connection')));
  }

  send(due: number, request: Buffer): void {
    this.#due = due;
    this.socket.write(request);
  }
}

/** @throws Error where it is another answer than 200 with a length */
function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = answer.toString('latin1', 0, end);
  const length = /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)/is.exec(head)?.[1];
  if (length === undefined) throw new Error(`answered ${answer.toString('latin1', 0, 500)}`);
  return answer.length >= end + 4 + Number(length);
}

parentPort?.postMessage(await new OpenLoopClient(workerData as OpenLoop).run());
