import { type Msg, type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import { EngineError, errorOf, type Failure, failure } from '../../../errors.ts';
import { unanswered } from './connection/answered.ts';
import { connectTo } from './connection/connect.ts';
import type { StreamSettings } from './settings.ts';

/** What is asked of a node, at a host. */
export interface AskedMove {
  readonly store: string;
  readonly stream: number;
  /** Where the command ran; older versions do not tell. */
  readonly host?: string | undefined;
}

/** What is put on record of a move: that somebody asks for it, before; and that it was done, after. */
export type MoveStep = 'asked' | 'moved';

/** Longer than a node may take to put both on record, and to hear that the log has what it was sent. */
const ANSWER_MS = 30_000;
const ASKED_BYTES_MAX = 1024;
const HOST_LENGTH_MAX = 253;

function subjectOf(stream: string): string {
  return `${stream}.move`;
}

/** Lets one of the nodes that listen move a store where somebody asks for that, as long as the connection lasts. */
export function takeMoves(connection: NatsConnection, stream: string, move: (asked: AskedMove) => Promise<void>): void {
  const answer = async (message: Msg): Promise<void> => {
    let failed: Failure | undefined;
    try {
      await move(askedIn(message.data));
    } catch (error) {
      failed = failure(unanswered(error));
    }
    message.respond(JSON.stringify(failed === undefined ? { ok: true } : failed));
  };
  connection.subscribe(subjectOf(stream), {
    queue: 'nodes',
    // who asked hears nothing where the connection is gone
    callback: (_error, message) => void answer(message).catch(() => {}),
  });
}

/**
 * Asks a node that runs to send the commands of a store to another stream. It can be asked again.
 * @throws EngineError `invalid_argument`, `unknown_store`, `unavailable`
 */
export async function moveStore(settings: StreamSettings, asked: AskedMove): Promise<void> {
  const connection = await connectTo(settings);
  try {
    const text = JSON.stringify(asked);
    const answer = await connection.request(subjectOf(settings.stream), text, { timeout: ANSWER_MS });
    const told = answer.json<{ readonly ok: true } | Failure>();
    if (!told.ok) throw errorOf(told);
  } catch (error) {
    if (error instanceof NoRespondersError) throw new EngineError('unavailable', 'no node of the cluster answers');
    throw unanswered(error);
  } finally {
    await connection.close();
  }
}

function askedIn(data: Uint8Array): AskedMove {
  const asked: unknown = data.length > ASKED_BYTES_MAX ? undefined : JSON.parse(Buffer.from(data).toString('utf8'));
  const { store, stream, host } = (asked ?? {}) as Partial<AskedMove>;
  if (typeof store === 'string' && typeof stream === 'number') {
    return { store, stream, host: typeof host === 'string' ? host.slice(0, HOST_LENGTH_MAX) : undefined };
  }
  throw new EngineError('invalid_argument', 'a move names a store and a stream');
}
