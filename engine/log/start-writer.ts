import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { EngineError, errorOf, type Failure, failure, fromThread, knownError } from '../errors.ts';
import { type Fault, untrusted } from '../fault.ts';
import type { CopyUse } from '../store/copy.ts';
import type { WriterSettings } from '../store/open-writer.ts';
import type { SeenNode, StreamStatus } from './stream/carried/stream-status.ts';
import type { AskedMove, MoveStep } from './stream/nats/move-store.ts';
import type { StreamSettings } from './stream/nats/settings.ts';
import type { StreamNotice } from './stream/stream-log.ts';
import type { WriterReply, WriterRequest } from './writer-thread.ts';

/** The thread that owns all writing of one environment. */
export interface WriterThread {
  /** A new way to the writer, to be sent to a thread that builds a `PortLog` on it. */
  connect(): MessagePort;
  /** Writes a copy at one revision into a folder while commits go on. */
  backup(folder: string, use?: CopyUse): Promise<void>;
  /** Tells the shared log which format of messages all nodes read, which is written then. */
  agreeOn(format: number): void;
  /** Tells the shared log which nodes were seen, for the status of the cluster. */
  know(nodes: readonly SeenNode[]): void;
  /** Answers what was submitted, closes the environment and ends the thread. */
  close(): Promise<void>;
  /** Resolves, with the reason, if the thread ends without being asked to, or does not trust the store any more. */
  readonly failed: Promise<Error>;
}

/** Commands are gone once they are applied: looked at seldom, few are still there to be copied. Two thirds stay taken. */
const YOUNG_MEGABYTES = 24;

const BUILT_ENTRY = new URL('./writer-thread.js', import.meta.url);

export interface WriterDependencies {
  /** The log that this node shares with others. Without it, its own order is the log. */
  readonly stream?: StreamSettings | undefined;
  readonly onNotice?: (notice: StreamNotice) => void;
  /** Puts on record what becomes of a move to another stream. Where it throws before the move, the store is not moved. */
  readonly recordMove?: (asked: AskedMove, step: MoveStep) => Promise<void>;
  /** Aborts where the start is to be given up: a log that others write to may be long. */
  readonly ended?: AbortSignal | undefined;
  /** Every two seconds, where there is a shared log; `at` is when it was so, by `monotonicMs`. */
  readonly onStatus?: (status: StreamStatus, at: number) => void;
  /** Called for every writer error that the engine did not throw itself. */
  readonly onFault?: (fault: Fault) => void;
  /** The built `writer-thread.js`. */
  readonly entry?: URL;
}

/** Starts the writer's thread; resolves when the environment is open, and has all that stood in a shared log. */
export async function startWriter(
  settings: WriterSettings,
  dependencies: WriterDependencies = {},
): Promise<WriterThread> {
  const {
    onFault,
    onNotice,
    onStatus,
    recordMove = async () => {},
    stream,
    ended: givenUp,
    entry = BUILT_ENTRY,
  } = dependencies;
  const worker = new Worker(entry, {
    workerData: { role: 'writer', settings: { ...settings, ...commitsOf(stream) }, stream },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  const send = (request: WriterRequest, transfer: MessagePort[] = []): void => worker.postMessage(request, transfer);
  let isClosing = false;
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', (error) => resolve(fromThread(error)));
    worker.once('exit', (code) => {
      if (!isClosing) resolve(new EngineError('unavailable', `the writer's thread ended (${code})`));
    });
  });
  const distrusted = new Promise<Error>((resolve) => {
    worker.on('message', (message: WriterReply) => {
      if (message.kind === 'notice') onNotice?.(message.notice);
      if (message.kind === 'status') onStatus?.(message.status, message.at);
      if (message.kind === 'move_step') {
        const { number, asked, step } = message;
        const told = (failed?: Failure): void => send({ kind: 'move_recorded', number, failure: failed });
        recordMove(asked, step).then(
          () => told(),
          (error: unknown) => told(failure(knownError(error))),
        );
      }
      if (message.kind === 'stopped') resolve(errorOf(message.failure));
      if (message.kind !== 'fault') return;
      onFault?.(message.fault);
      if (message.fault.reach === 'store') resolve(untrusted(message.fault));
    });
  });
  const failed = Promise.race([ended, distrusted]);
  const unlessFailed = <T>(answer: Promise<T>): Promise<T> =>
    Promise.race([answer, failed.then((error) => Promise.reject(error))]);
  const backUp = async (folder: string, use?: CopyUse): Promise<void> => {
    const done = unlessFailed(reply(worker, 'backed_up'));
    send({ kind: 'backup', folder, use });
    const { error } = await done;
    if (error !== undefined) throw new EngineError('unavailable', `the backup failed: ${error}`);
  };
  let backups: Promise<unknown> = Promise.resolve();
  await unlessAborted(unlessFailed(reply(worker, 'ready')), worker, givenUp);
  return {
    failed,
    connect() {
      const { port1, port2 } = new MessageChannel();
      send({ kind: 'connect', port: port1 }, [port1]);
      return port2;
    },
    agreeOn: (format) => send({ kind: 'format', format }),
    know: (nodes) => send({ kind: 'known', nodes }),
    backup(folder, use) {
      // One at a time, so that the reply that comes is the one to this request.
      const backup = backups.then(() => backUp(folder, use));
      backups = backup.catch(() => {});
      return backup;
    },
    async close() {
      isClosing = true;
      const exited = once(worker, 'exit');
      send({ kind: 'close' });
      await Promise.race([exited, ended]);
    },
  };
}

/** Servers that flush before they acknowledge have each command on disk: after a power cut a node reads it again. */
function commitsOf(stream: StreamSettings | undefined): Pick<WriterSettings, 'isShared' | 'mayLoseLastCommit'> {
  return { isShared: stream !== undefined, mayLoseLastCommit: stream !== undefined && !stream.allowUnsafe };
}

/** What is committed stays: the store is as after a crash. */
async function unlessAborted(ready: Promise<unknown>, worker: Worker, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void (await ready);
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    await Promise.race([ready, aborted]);
  } catch (error) {
    if (signal.aborted) await worker.terminate();
    throw error;
  } finally {
    if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
  }
}

function reply<Kind extends WriterReply['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<WriterReply, { kind: Kind }>> {
  return new Promise((resolve) => {
    const listen = (message: WriterReply): void => {
      if (message.kind !== kind) return;
      worker.off('message', listen);
      resolve(message as Extract<WriterReply, { kind: Kind }>); // its kind was just compared
    };
    worker.on('message', listen);
  });
}
