import { EngineError } from '../../../errors.ts';

/**
 * What stands in a message that has a part of one command instead of whole commands:
 *
 *     [bytes of the command u32][where this part begins u32][its bytes]
 *
 * The parts of a command stand in messages whose numbers follow one another, in order.
 */
export interface CommandPart {
  /** Bytes of the whole command. */
  readonly of: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

export const PART_HEAD_BYTES = 8;
/** The largest command in all: each node has it in memory when it is put together. */
export const SPLIT_BYTES_MAX = 64 * 2 ** 20;

const AT_AT = 4;

export function encodePart({ of, at, bytes }: CommandPart): Buffer {
  const head = Buffer.alloc(PART_HEAD_BYTES);
  head.writeUInt32BE(of);
  head.writeUInt32BE(at, AT_AT);
  return Buffer.concat([head, bytes]);
}

/** @throws EngineError `corrupt` where it is none, or of a command that is larger than any */
export function decodePart(encoded: Uint8Array): CommandPart {
  const buffer = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  if (buffer.length <= PART_HEAD_BYTES) throw new EngineError('corrupt', 'a part of a command has no bytes');
  const [of, at, bytes] = [buffer.readUInt32BE(), buffer.readUInt32BE(AT_AT), buffer.subarray(PART_HEAD_BYTES)];
  if (of > SPLIT_BYTES_MAX) throw new EngineError('corrupt', `a command of ${of} bytes is larger than any`);
  if (at + bytes.length > of) throw new EngineError('corrupt', 'a part of a command is longer than the rest of it');
  return { of, at, bytes };
}

/** A command in parts of at most that many bytes. */
export function partsOf(command: Uint8Array, max: number): CommandPart[] {
  const parts: CommandPart[] = [];
  for (let at = 0; at < command.length; at += max) {
    parts.push({ of: command.length, at, bytes: command.subarray(at, at + max) });
  }
  return parts;
}
