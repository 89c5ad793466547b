import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorOf, type Failure, failure } from '../errors.ts';
import type { Fault } from '../fault.ts';
import type { CopyUse } from '../store/copy.ts';
import { type OpenedWriter, openWriter, type WriterSettings } from '../store/open-writer.ts';
import { GroupCommit } from './group-commit.ts';
import { LocalLog } from './local-log.ts';
import type { CommandLog } from './log.ts';
import { servePort } from './serve-port.ts';
import type { SeenNode, StreamStatus } from './stream/carried/stream-status.ts';
import { monotonicMs } from './stream/monotonic.ts';
import type { AskedMove, MoveStep } from './stream/nats/move-store.ts';
import type { StreamSettings } from './stream/nats/settings.ts';
import type { OpenStreamLogOptions } from './stream/open-stream-log.ts';
import type { StreamNotice } from './stream/stream-log.ts';

/** What the thread that started the writer sends it. */
export type WriterRequest =
  | { readonly kind: 'connect'; readonly port: MessagePort }
  | { readonly kind: 'backup'; readonly folder: string; readonly use?: CopyUse | undefined }
  /** See `StreamLog.agreeOn`. */
  | { readonly kind: 'format'; readonly format: number }
  /** See `StreamLog.know`. */
  | { readonly kind: 'known'; readonly nodes: readonly SeenNode[] }
  /** Answers `move_step`. */
  | { readonly kind: 'move_recorded'; readonly number: number; readonly failure?: Failure | undefined }
  | { readonly kind: 'close' };

/** Its answers and its notices. */
export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'backed_up'; readonly error?: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'notice'; readonly notice: StreamNotice }
  /** `at`: when that was so, by `monotonicMs`. */
  | { readonly kind: 'status'; readonly status: StreamStatus; readonly at: number }
  /** To be put on record: the move waits for that. */
  | { readonly kind: 'move_step'; readonly number: number; readonly asked: AskedMove; readonly step: MoveStep }
  /** It can no longer follow the log that it shares with others. */
  | { readonly kind: 'stopped'; readonly failure: Failure }
  | { readonly kind: 'closed' };

/** After a batch that could not be stored, the writer tries by itself whether it can store again. */
const PROBE_MS = 1000;
const STATUS_MS = 2000;

const reply = (message: WriterReply): void => parentPort?.postMessage(message);

/** Entry of the writer's thread. */
if (parentPort !== null && (workerData as { role?: string } | null)?.role === 'writer') {
  const { settings, stream } = workerData as { readonly settings: WriterSettings; readonly stream?: StreamSettings };
  const joined = stream === undefined ? undefined : await join(stream, settings.path);
  const opened = openWriter(settings, (fault) => reply({ kind: 'fault', fault }));
  // messages wait until the log is open
  serve(parentPort, opened, joined === undefined ? openLocal(opened) : await openShared(joined, opened));
  reply({ kind: 'ready' });
}

interface OpenedLog {
  readonly log: CommandLog & { agreeOn?(format: number): void; know?(nodes: readonly SeenNode[]): void };
  readonly timers: readonly NodeJS.Timeout[];
}

function openLocal(opened: OpenedWriter): OpenedLog {
  return { log: new LocalLog(opened.writer, new GroupCommit()), timers: [setInterval(() => opened.probe(), PROBE_MS)] };
}

type Joined = Pick<OpenStreamLogOptions, 'stream' | 'settings'>;

/** What it is made of is loaded only here: a single node has no use for it. */
async function join(settings: StreamSettings, path: string): Promise<Joined> {
  const { joinStream } = await import('./stream/open-stream-log.ts');
  return { settings, stream: await joinStream(settings, path, tellNotice) };
}

function tellNotice(notice: StreamNotice): void {
  reply({ kind: 'notice', notice });
}

/** What waits for `move_recorded`, by its number. */
const recording = new Map<number, (failed?: Failure) => void>();
let asks = 0;

function recordMove(asked: AskedMove, step: MoveStep): Promise<void> {
  const number = asks++;
  return new Promise((resolve, reject) => {
    recording.set(number, (failed) => {
      recording.delete(number);
      if (failed === undefined) resolve();
      else reject(errorOf(failed));
    });
    reply({ kind: 'move_step', number, asked, step });
  });
}

async function openShared(joined: Joined, opened: OpenedWriter): Promise<OpenedLog> {
  const { openStreamLog } = await import('./stream/open-stream-log.ts');
  try {
    const log = await openStreamLog({
      ...joined,
      opened,
      onNotice: tellNotice,
      recordMove,
      onStop: (error) => reply({ kind: 'stopped', failure: failure(error) }),
    });
    const tell = async (): Promise<void> => {
      log.hear();
      await log.look().catch(() => {}); // what is known stays
      reply({ kind: 'status', status: log.status(), at: monotonicMs() });
    };
    // before anybody is let in by what it has heard
    reply({ kind: 'status', status: log.status(), at: monotonicMs() });
    return { log, timers: [setInterval(() => void tell(), STATUS_MS)] };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function serve(parent: MessagePort, opened: OpenedWriter, { log, timers }: OpenedLog): void {
  parent.on('message', async (request: WriterRequest) => {
    switch (request.kind) {
      case 'connect':
        return servePort(request.port, log);
      case 'backup':
        try {
          await opened.backup(request.folder, request.use);
          return reply({ kind: 'backed_up' });
        } catch (error) {
          return reply({ kind: 'backed_up', error: String(error) });
        }
      case 'format':
        return log.agreeOn?.(request.format);
      case 'known':
        return log.know?.(request.nodes);
      case 'move_recorded':
        return recording.get(request.number)?.(request.failure);
      case 'close':
        for (const timer of timers) clearInterval(timer);
        await log.close();
        await opened.close();
        reply({ kind: 'closed' });
        parent.close();
    }
  });
}
