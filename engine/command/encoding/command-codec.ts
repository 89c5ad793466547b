import { EngineError } from '../../errors.ts';
import type { PackedCommand } from '../command.ts';
import { ByteReader, damaged } from './byte-reader.ts';
import { ByteWriter, unencodable } from './byte-writer.ts';
import { readChange, writeChange } from './change-codec.ts';
import { readList } from './plain-value.ts';
import { readPrecondition, writePrecondition } from './precondition-codec.ts';

/**
 * A command as bytes, the same wherever it goes: to the writer's thread, or into a log that others read.
 *
 *     ['R' u8]['C' u8][version u8][length of the rest u32]
 *     [flags u8][id][time][preconditions, if flagged][changes]
 *
 * Integers and texts are as in `ByteWriter`; what a change consists of stands in `change-codec.ts`. It says itself how
 * long it is, so that commands can stand one after the other.
 */
const MARK = [0x52, 0x43] as const;
const VERSION = 1;
const LENGTH_AT = 3;
const HEAD_BYTES = 7;
const HAS_PRECONDITIONS = 1;

/** Beyond this a command is refused: its length would have no room, or the runtime no buffer. */
export const COMMAND_BYTES_MAX = 2 ** 30;

/** @throws EngineError `invalid_argument` where something in it is no plain data, `too_large` */
export function encodeCommand(command: PackedCommand): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writeCommand(writer, command);
  return writer.take();
}

/**
 * The command that was encoded. Nothing is missing and nothing follows, or it throws.
 * @throws EngineError `corrupt` where these are not the bytes of one command of this version
 */
export function decodeCommand(bytes: Uint8Array): PackedCommand {
  const [command, more] = decodeCommands(bytes);
  if (command === undefined || more !== undefined) throw damaged('it is not exactly one command');
  return command;
}

/** Appends a command. Where it throws, nothing is appended. */
export function writeCommand(writer: ByteWriter, command: PackedCommand): void {
  const start = writer.length;
  try {
    for (const byte of MARK) writer.byte(byte);
    writer.byte(VERSION);
    const lengthAt = writer.word();
    writeBody(writer, command);
    const length = writer.length - start - HEAD_BYTES;
    if (length > COMMAND_BYTES_MAX) throw new EngineError('too_large', `a command has over ${COMMAND_BYTES_MAX} bytes`);
    writer.setWord(lengthAt, length);
  } catch (error) {
    writer.rewind(start);
    throw error instanceof EngineError ? error : unencodable(String(error));
  }
}

/** All commands that stand one after the other, or none: where one is damaged, it throws. */
export function decodeCommands(bytes: Uint8Array): PackedCommand[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const commands: PackedCommand[] = [];
  for (let at = 0; at < buffer.length; ) {
    if (buffer[at] !== MARK[0] || buffer[at + 1] !== MARK[1]) throw damaged('these are not the bytes of a command');
    const version = buffer[at + 2];
    if (version !== VERSION) throw damaged(`version ${version} of its encoding is not known`);
    if (buffer.length - at < HEAD_BYTES) throw damaged('it ends too early');
    const end = at + HEAD_BYTES + buffer.readUInt32LE(at + LENGTH_AT);
    if (end > buffer.length) throw damaged('it ends too early');
    commands.push(readBody(new ByteReader(buffer, at + HEAD_BYTES, end)));
    at = end;
  }
  return commands;
}

/** The bytes of each, of commands that `decodeCommands` reads: views of the same memory. */
export function splitCommands(bytes: Uint8Array): Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const commands: Uint8Array[] = [];
  for (let at = 0; at < buffer.length; ) {
    const end = at + HEAD_BYTES + buffer.readUInt32LE(at + LENGTH_AT);
    commands.push(buffer.subarray(at, end));
    at = end;
  }
  return commands;
}

function writeBody(writer: ByteWriter, { id, time, preconditions, changes }: PackedCommand): void {
  writer.byte(preconditions === undefined ? 0 : HAS_PRECONDITIONS);
  writer.text(id);
  writer.number(time);
  if (preconditions !== undefined) {
    writer.count(preconditions.length);
    for (const precondition of preconditions) writePrecondition(writer, precondition);
  }
  writer.count(changes.length);
  for (const change of changes) writeChange(writer, change);
}

function readBody(reader: ByteReader): PackedCommand {
  const flags = reader.byte();
  if (flags > HAS_PRECONDITIONS) throw damaged('it has unknown flags');
  const id = reader.text();
  const time = reader.number();
  const preconditions = flags & HAS_PRECONDITIONS ? readList(reader, () => readPrecondition(reader)) : undefined;
  const changes = readList(reader, () => readChange(reader));
  if (!reader.isAtEnd) throw damaged('it is followed by something else');
  return { id, time, preconditions, changes };
}
