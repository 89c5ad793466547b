import { CliError } from '../../cli-error.ts';

const LINE_BYTES_MAX = 4 * 2 ** 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Where reading stands: everything before it has been visited. */
export interface Position {
  /** In bytes from the start of the file. */
  offset: number;
  /** Lines before it. */
  line: number;
}

export interface LineVisitor {
  /** `bytes[start..end)` is a line without its end. The bytes are those of the next lines too: copy what is kept. */
  line(bytes: Buffer, start: number, end: number, position: Position): void;
  /** After every block that was read; the next one is not read before it has resolved. */
  pause(position: Position): Promise<void> | undefined;
}

/**
 * Hands on the lines of a stream, block by block, without making a string of them. A last line without an end is a
 * line. Memory is bounded by the longest line, which is bounded too.
 */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  from: Position,
  visitor: LineVisitor,
): Promise<Position> {
  const position = { ...from };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    const block = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const start = visitWhole(bytes, position, visitor);
    rest = start === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start));
    if (rest.length > LINE_BYTES_MAX) throw new CliError(`line ${position.line + 1} is longer than 4 MiB`);
    await visitor.pause(position);
  }
  if (rest.length > 0) {
    visitor.line(rest, 0, withoutReturn(rest, 0, rest.length), { ...position, line: position.line + 1 });
    position.line++;
    position.offset += rest.length;
  }
  return position;
}

/** Answers where the unfinished line starts. */
function visitWhole(bytes: Buffer, position: Position, visitor: LineVisitor): number {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    position.line++;
    visitor.line(bytes, start, withoutReturn(bytes, start, end), position);
    position.offset += end + 1 - start;
    start = end + 1;
  }
  return start;
}

function withoutReturn(bytes: Buffer, start: number, end: number): number {
  return end > start && bytes[end - 1] === RETURN ? end - 1 : end;
}
