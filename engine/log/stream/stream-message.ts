import { EngineError } from '../../errors.ts';

/**
 * What one node appends to the stream at once: commands that it was asked for, one after the other as in
 * `command-codec.ts`. Without commands it only marks a place in the order.
 *
 *     ['R' u8]['M' u8][version u8][0 u8]
 *     [log's identity, 8 bytes][producer, 16 bytes][number u48]
 *     [applied sequence u48][state there, 16 bytes]
 *     [commands]
 *
 * A producer is one run of a node. It numbers its messages upwards, so that a message that comes twice is found. What it
 * had applied when it made the message, and in which state it was then, lets every other node compare its own.
 */
const MARK = [0x52, 0x4d] as const;
const VERSION = 1;
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

export function encodeMessage(
  { log, producer, number, applied }: MessageHead,
  commands: readonly Uint8Array[],
): Buffer {
  const head = Buffer.alloc(MESSAGE_HEAD_BYTES);
  head.set([...MARK, VERSION]);
  head.set(log.subarray(0, LOG_BYTES), LOG_AT);
  head.set(producer.subarray(0, PRODUCER_BYTES), PRODUCER_AT);
  head.writeUIntBE(number, NUMBER_AT, U48_BYTES);
  head.writeUIntBE(applied.sequence, APPLIED_AT, U48_BYTES);
  head.set(applied.state.subarray(0, CLAIM_BYTES), STATE_AT);
  return Buffer.concat([head, ...commands]);
}

/** @throws EngineError `corrupt` where these are not the bytes of a message of this version */
export function decodeMessage(bytes: Uint8Array): MessageHead & { readonly commands: Uint8Array } {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.length < MESSAGE_HEAD_BYTES || head[0] !== MARK[0] || head[1] !== MARK[1]) {
    throw new EngineError('corrupt', 'these are not the bytes of a message of this log');
  }
  if (head[2] !== VERSION) throw new EngineError('corrupt', `version ${head[2]} of its messages is not known`);
  return {
    log: head.subarray(LOG_AT, PRODUCER_AT),
    producer: head.subarray(PRODUCER_AT, NUMBER_AT),
    number: head.readUIntBE(NUMBER_AT, U48_BYTES),
    applied: { sequence: head.readUIntBE(APPLIED_AT, U48_BYTES), state: head.subarray(STATE_AT, MESSAGE_HEAD_BYTES) },
    commands: head.subarray(MESSAGE_HEAD_BYTES),
  };
}
