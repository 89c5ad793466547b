import { EngineError } from '../../errors.ts';
import {
  type Assignment,
  type CarriedReference,
  decodeUse,
  encodeAssignment,
  encodeReference,
  type StreamUse,
} from './carried/carried-reference.ts';
import { LOG_FORMAT } from './log-format.ts';
import { type CommandPart, decodePart, encodePart } from './parts/command-part.ts';

/**
 * What one node appends to the stream at once: commands that it was asked for, one after the other as in
 * `command-codec.ts`; or a part of one command that is too large for a message; or where a message with them stands. Without
 * commands it only marks a position in the order.
 *
 *     ['R' u8]['M' u8][format u8][0 u8]
 *     [log's identity, 8 bytes][producer, 16 bytes][number u48]
 *     [applied sequence u48][state there, 16 bytes]
 *     [commands], where the format is 1
 *     [part, as in `command-part.ts`], where the format is 2
 *     [use of another stream, as in `carried-reference.ts`], where the format is 3
 *
 * A producer is one run of a node. It numbers its messages upwards, so that a message that comes twice is found. What it
 * had applied when it made the message, and in which state it was then, lets every other node compare its own.
 */
const MARK = [0x52, 0x4d] as const;
/** Formats of messages. What fits into an older one is written in it, so that older nodes can read it. */
const COMMANDS = 1;
const PART = 2;
const USE = 3;
const FORMAT_AT = 2;
const LOG_AT = 4;
const PRODUCER_AT = 12;
const NUMBER_AT = 28;
const APPLIED_AT = 34;
const STATE_AT = 40;

export const MESSAGE_HEAD_BYTES = 56;
export const PRODUCER_BYTES = 16;
/** Of a state in a message. */
export const CLAIM_BYTES = MESSAGE_HEAD_BYTES - STATE_AT;
const LOG_BYTES = PRODUCER_AT - LOG_AT;
const U48_BYTES = 6;

export interface MessageHead {
  readonly log: Uint8Array;
  readonly producer: Uint8Array;
  /** Upwards from 1. */
  readonly number: number;
  /** 0 and zeros where nothing was applied. */
  readonly applied: { readonly sequence: number; readonly state: Uint8Array };
}

export function encodeMessage(head: MessageHead, commands: readonly Uint8Array[]): Buffer {
  return Buffer.concat([encodeHead(head, COMMANDS), ...commands]);
}

export function encodePartMessage(head: MessageHead, part: CommandPart): Buffer {
  return Buffer.concat([encodeHead(head, PART), encodePart(part)]);
}

/** Stands in the log in place of a message that is in another stream. */
export function encodeReferenceTo(message: Uint8Array, reference: CarriedReference): Buffer {
  const head = Buffer.from(message.subarray(0, MESSAGE_HEAD_BYTES));
  head[FORMAT_AT] = USE;
  return Buffer.concat([head, encodeReference(reference)]);
}

export function encodeAssignmentMessage(head: MessageHead, assignment: Assignment): Buffer {
  return Buffer.concat([encodeHead(head, USE), encodeAssignment(assignment)]);
}

function encodeHead({ log, producer, number, applied }: MessageHead, format: number): Buffer {
  const head = Buffer.alloc(MESSAGE_HEAD_BYTES);
  head.set([...MARK, format]);
  head.set(log.subarray(0, LOG_BYTES), LOG_AT);
  head.set(producer.subarray(0, PRODUCER_BYTES), PRODUCER_AT);
  head.writeUIntBE(number, NUMBER_AT, U48_BYTES);
  head.writeUIntBE(applied.sequence, APPLIED_AT, U48_BYTES);
  head.set(applied.state.subarray(0, CLAIM_BYTES), STATE_AT);
  return head;
}

export interface Message extends MessageHead {
  /** One after the other; or a part of one, or the use of another stream, which are undefined otherwise. */
  readonly commands: Uint8Array;
  readonly part: CommandPart | undefined;
  readonly use: StreamUse | undefined;
}

/** Whether these may be the bytes of a message that refers to another stream, without a look at the rest of them. */
export function mayUseStream(bytes: Uint8Array): boolean {
  return bytes[FORMAT_AT] === USE;
}

/** @throws EngineError `corrupt` where these are not the bytes of a message of a known format */
export function decodeMessage(bytes: Uint8Array): Message {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.length < MESSAGE_HEAD_BYTES || head[0] !== MARK[0] || head[1] !== MARK[1]) {
    throw new EngineError('corrupt', 'these are not the bytes of a message of this log');
  }
  const format = head[FORMAT_AT];
  if (format !== COMMANDS && format !== PART && format !== USE) {
    const reason = `its format is ${format}, and this version reads up to ${LOG_FORMAT}: start the version that other nodes have`;
    throw new EngineError('corrupt', reason);
  }
  const rest = head.subarray(MESSAGE_HEAD_BYTES);
  return {
    log: head.subarray(LOG_AT, PRODUCER_AT),
    producer: head.subarray(PRODUCER_AT, NUMBER_AT),
    number: head.readUIntBE(NUMBER_AT, U48_BYTES),
    applied: { sequence: head.readUIntBE(APPLIED_AT, U48_BYTES), state: head.subarray(STATE_AT, MESSAGE_HEAD_BYTES) },
    commands: format === COMMANDS ? rest : rest.subarray(0, 0),
    part: format === PART ? decodePart(rest) : undefined,
    use: format === USE ? decodeUse(rest) : undefined,
  };
}
