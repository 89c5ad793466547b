import { EngineError } from '../../../errors.ts';
import { CarriedMessages } from '../carried/carried-messages.ts';
import type { CarriedReference } from '../carried/carried-reference.ts';
import { UsesDraft } from '../carried/stream-uses.ts';
import type { MessageStream } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import { decodeMessage } from '../stream-message.ts';
import { APPLIED_MESSAGES } from './received-messages.ts';
import { type AppliedData, requireSameBeside } from './same-history.ts';

/**
 * Whether a node with these data would stop, because side streams have lost what it has applied, or what it is to
 * apply next.
 * @throws EngineError `unavailable`; `invalid_argument` where this version cannot read what it is to apply next
 */
export async function lacksBeside(
  stream: MessageStream,
  data: AppliedData,
  last: number,
  retryMs: number,
): Promise<boolean> {
  const { sequence } = data.progress;
  const { signal } = new AbortController();
  const carried = new CarriedMessages({ stream, retryMs, signal, applied: () => sequence });
  try {
    await requireSameBeside(stream, data, retryMs);
    const end = Math.min(last, sequence + APPLIED_MESSAGES);
    const messages = await messagesOf(stream, sequence + 1, end);
    messages.forEach(requireReadable);
    await carried.with(messages, referencesOf(stream, data));
    return false;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt') return true;
    throw error;
  } finally {
    carried.close();
  }
}

async function messagesOf(stream: MessageStream, from: number, end: number): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = [];
  for (let sequence = from; sequence <= end; sequence++) {
    const bytes = await stream.message(sequence);
    if (bytes !== undefined) messages.push({ sequence, time: 0, bytes });
  }
  return messages;
}

/** What it cannot read is not lost: a newer version may read it, and other nodes may have applied it. */
function requireReadable({ sequence, bytes }: StreamMessage): void {
  try {
    decodeMessage(bytes);
  } catch (error) {
    const reason =
      `nothing is lost, but this version cannot read message ${sequence} of the log: ${error instanceof Error ? error.message : error}. Run this ` +
      'with the newest version that a node had. --force deletes the log, and all from that message on';
    throw new EngineError('invalid_argument', reason);
  }
}

/** What the node would read: not what it passes over. */
function referencesOf(stream: MessageStream, { uses }: AppliedData) {
  const draft = new UsesDraft(uses.allCarried, new Map());
  return ({ bytes }: StreamMessage): CarriedReference | undefined => {
    const { log, use } = decodeMessage(bytes);
    if (use === undefined || 'store' in use || !Buffer.from(log).equals(stream.log)) return undefined;
    return draft.add(use) ? use : undefined;
  };
}
