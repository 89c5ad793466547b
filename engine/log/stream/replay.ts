import { createHash, hash } from 'node:crypto';
import type { CommitResult, PackedCommand } from '../../command/command.ts';
import { decodeCommands } from '../../command/encoding/command-codec.ts';
import { EngineError, type Outcome } from '../../errors.ts';
import type { Tables } from '../../store/environment.ts';
import { revisionKey } from '../../store/layout.ts';
import { type Progress, readProgress, writeProgress } from '../../store/log/stream-progress.ts';
import type { CarriedReference } from './carried/carried-reference.ts';
import { deletedBy, StreamUses, type UsesDraft } from './carried/stream-uses.ts';
import { PartialCommands, type PartsDraft } from './parts/partial-commands.ts';
import { Producers, type ProducersDraft } from './parts/producers.ts';
import { CLAIM_BYTES, decodeMessage, type Message, type MessageHead, mayUseStream } from './stream-message.ts';

/** A message as the stream has it. Sequence and time are the same on every node that reads it. */
export interface StreamMessage {
  /** 1, 2, 3: there is no gap. */
  readonly sequence: number;
  /** Milliseconds since the epoch, by the clock of the server that ordered it. */
  readonly time: number;
  readonly bytes: Uint8Array;
  /** The message in another stream that it refers to, which `Replay.reference` tells; the caller has compared its digest. */
  readonly carried?: Uint8Array;
}

/** What became of a message. */
export interface Replayed {
  readonly producer: Uint8Array;
  readonly number: number;
  /**
   * Of its commands; none where it was a part of one, and others are to come. Undefined where the message was passed over: it
   * came twice, or too late, or is of another log; it is a part of a command of which an earlier one is not there; or it refers
   * to a message of another stream that is too old.
   */
  readonly outcomes: readonly Outcome<CommitResult>[] | undefined;
}

/** Applies commands in one transaction, in which `within` runs after them; `Writer` is the real one. */
export interface ReplayWriter {
  apply(
    commands: readonly PackedCommand[],
    within: (outcomes: readonly Outcome<CommitResult>[]) => void,
  ): Outcome<CommitResult>[];
}

export interface ReplayOptions {
  readonly tables: Tables;
  readonly writer: ReplayWriter;
  /** The log's identity: messages of another one are passed over. */
  readonly log: Uint8Array;
}

interface Step {
  readonly message: StreamMessage;
  readonly head: MessageHead;
  readonly digest: Buffer;
  readonly commands: readonly PackedCommand[];
  readonly isPassedOver: boolean;
}

/** What becomes of what is kept between messages. */
interface Drafts {
  readonly parts: PartsDraft;
  readonly uses: UsesDraft;
  readonly producers: ProducersDraft;
}

/** Of that many last messages the state is known, to be compared with what others say of theirs. */
const STATES_MAX = 4096;

/**
 * Applies the messages of a stream to the store, in order, each once, together with how far it came. Every node that
 * applies the same messages decides the same, because all that it decides by stands in the messages or in the store.
 *
 * Of two messages of one producer, the one with the lower number is passed over if it comes later: it was sent again, or
 * its producer had given it up. Each message also says how far its producer had come and in which state it was there. A
 * node whose own state at that message was another one has not applied the same as the others, and must stop.
 *
 * A command that came in parts is applied where its last part stands.
 */
export class Replay {
  readonly #tables: Tables;
  readonly #writer: ReplayWriter;
  readonly #log: Buffer;
  readonly #producers: Producers;
  readonly #partial: PartialCommands;
  readonly uses: StreamUses;
  readonly #states = new Map<number, Buffer>();
  #progress: Progress;

  constructor({ tables, writer, log }: ReplayOptions) {
    this.#tables = tables;
    this.#writer = writer;
    this.#log = Buffer.from(log);
    this.#progress = readProgress(tables);
    this.#producers = new Producers(tables);
    this.#partial = new PartialCommands(tables, this.#producers.known);
    this.uses = new StreamUses(tables);
    this.#remember(this.#progress);
  }

  /** How far the store has come, on disk. */
  get progress(): Progress {
    return this.#progress;
  }

  /** The message of another stream that must come with this one, which is to be applied. */
  reference({ sequence, bytes }: StreamMessage): CarriedReference | undefined {
    if (!mayUseStream(bytes) || sequence <= this.#progress.sequence) return undefined;
    const { log, use } = decodeAt(sequence, bytes, decodeMessage);
    if (use === undefined || 'store' in use || !this.#log.equals(log) || this.uses.isPast(use)) return undefined;
    return use;
  }

  /**
   * Applies messages that stand one after the other in the stream, all in one transaction. Those that were applied before
   * are left out.
   * @throws EngineError `log_gap` where one before them is missing; `corrupt` where one cannot be read, where this node
   *   has come to another state than the one that made a message, or where the log was set back; and as `Writer.apply`
   */
  apply(messages: readonly StreamMessage[]): Replayed[] {
    const drafts = {
      parts: this.#partial.draft(),
      uses: this.uses.draft(),
      producers: this.#producers.draft(),
    };
    const steps = this.#plan(
      messages.filter(({ sequence }) => sequence > this.#progress.sequence),
      drafts,
    );
    if (steps.length === 0) return [];
    let trail: Progress[] = [];
    const outcomes = this.#writer.apply(
      steps.flatMap(({ commands }) => commands),
      (made) => {
        trail = trailOf(this.#progress, steps, made);
        writeProgress(this.#tables, trail.at(-1) as Progress); // there is one for each step
        this.#producers.write(drafts.producers);
        this.#partial.write(drafts.parts);
        this.uses.write(drafts.uses, deletedBy(steps));
      },
    );
    this.#partial.become(drafts.parts);
    this.uses.become(drafts.uses);
    this.#producers.take(drafts.producers);
    for (const progress of trail) this.#remember(progress);
    this.#progress = trail.at(-1) as Progress;
    for (const { head } of steps) this.#compare(head);
    return replayedOf(steps, outcomes);
  }

  #plan(messages: readonly StreamMessage[], drafts: Drafts): Step[] {
    let expected = this.#progress.sequence + 1;
    return messages.map((message) => {
      const { sequence, bytes } = message;
      if (sequence !== expected++) {
        const reason = `the log's message ${expected - 1} is missing: the next one that came is ${sequence}`;
        throw new EngineError('log_gap', reason, { expected: expected - 1, sequence });
      }
      const head = decodeAt(sequence, bytes, decodeMessage);
      if (this.#log.equals(head.log) && head.applied.sequence >= sequence)
        throw setBack(sequence, head.applied.sequence);
      const producer = hexOf(head.producer);
      const before = drafts.producers.numberOf(producer);
      drafts.parts.at(message.time);
      const isLate = head.number <= before || !this.#log.equals(head.log);
      const commands = isLate ? 'incomplete' : commandsOf(producer, head, message, drafts);
      const isPassedOver = commands === 'incomplete';
      if (!isPassedOver) drafts.producers.add(producer, { number: head.number, time: message.time });
      return {
        message,
        head,
        digest: hash('sha256', bytes, 'buffer'),
        commands: isPassedOver ? [] : decodeAt(sequence, commands, decodeCommands),
        isPassedOver,
      };
    });
  }

  #compare({ log, applied: { sequence, state } }: MessageHead): void {
    const own = this.#states.get(sequence);
    if (own === undefined || sequence === 0 || !this.#log.equals(log)) return;
    if (own.subarray(0, CLAIM_BYTES).equals(state)) return;
    throw new EngineError(
      'corrupt',
      `after message ${sequence} of the log, this node's data is not the same as another node's`,
      { sequence },
    );
  }

  #remember({ sequence, state }: Progress): void {
    this.#states.set(sequence, state);
    this.#states.delete(sequence - STATES_MAX);
  }
}

const NO_COMMANDS = new Uint8Array();

/** What is to be applied where a message stands, one command after the other. */
function commandsOf(
  producer: string,
  head: Message,
  { sequence, time, carried }: StreamMessage,
  { parts, uses }: Drafts,
): Uint8Array | 'incomplete' {
  const { number, use } = head;
  if (use !== undefined && !uses.add(use)) return 'incomplete';
  if (use !== undefined && !('store' in use) && carried === undefined) {
    throw new EngineError('internal', `what message ${sequence} of the log refers to was not read`);
  }
  const { part, commands } = carried === undefined ? head : decodeAt(sequence, carried, decodeMessage);
  if (part === undefined) {
    parts.end(producer);
    return commands;
  }
  const added = parts.add(producer, { number, time }, part);
  return added === 'more' ? NO_COMMANDS : added;
}

/** The progress after each step. */
function trailOf(from: Progress, steps: readonly Step[], outcomes: readonly Outcome<CommitResult>[]): Progress[] {
  let { state } = from;
  let at = 0;
  return steps.map(({ message: { sequence }, digest, commands, isPassedOver }) => {
    const made = outcomes.slice(at, at + commands.length);
    at += commands.length;
    const became = isPassedOver ? 'passed over' : made.map(outcomeText).join();
    state = createHash('sha256').update(state).update(revisionKey(sequence)).update(digest).update(became).digest();
    return { sequence, digest, state };
  });
}

function outcomeText(outcome: Outcome<CommitResult>): string {
  return outcome.ok ? `${outcome.value.revision}:${outcome.value.tuplesChanged}` : outcome.code;
}

function replayedOf(steps: readonly Step[], outcomes: readonly Outcome<CommitResult>[]): Replayed[] {
  let at = 0;
  return steps.map(({ head: { producer, number }, commands, isPassedOver }) => {
    const made = outcomes.slice(at, at + commands.length);
    at += commands.length;
    return { producer, number, outcomes: isPassedOver ? undefined : made };
  });
}

function hexOf(producer: Uint8Array): string {
  return Buffer.from(producer).toString('hex');
}

function decodeAt<T>(sequence: number, bytes: Uint8Array, decode: (bytes: Uint8Array) => T): T {
  try {
    return decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `message ${sequence} of the log cannot be read by this version: ${reason}`;
    throw new EngineError('corrupt', message, { sequence }, error);
  }
}

/** Whoever has applied that much has seen messages which the log no longer has: what comes now stands in their place. */
function setBack(sequence: number, applied: number): EngineError {
  const reason =
    `message ${sequence} of the log is from a node that had applied message ${applied} before: the NATS servers have lost a ` +
    'part of the log. Nothing is written. Restore their storage; or stop all nodes, and run "relata cluster repair" at the ' +
    'one that has the highest message';
  return new EngineError('corrupt', reason, { sequence, applied });
}
