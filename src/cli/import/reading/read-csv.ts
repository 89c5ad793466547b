import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { CliError } from '../../cli-error.ts';
import { type RowLayout, rowLayout, tupleFromRow } from '../../tuples/tuple-row.ts';
import type { LineVisitor, Position } from './read-lines.ts';
import { scanTuple, tupleParts } from './scan-tuple.ts';
import type { TupleSink } from './tuple-sink.ts';

const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const COLON = 0x3a;
const AT = 0x40;
const ROW_BYTES_MAX = 4 * 2 ** 20;
/** A row that makes a longer text is read the slow way. */
const SCRATCH_BYTES = 4096;

/**
 * One tuple a row, after a header. Rows without quotes are split here, byte by byte; the others go through
 * `csv-parse`. A quoted field may contain line ends. Rows that begin with `#` are passed over.
 */
export class CsvVisitor implements LineVisitor {
  readonly #sink: TupleSink;
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  /** Where the fields of the row at hand end. */
  readonly #ends: number[] = [];
  #layout: RowLayout | undefined;
  /** A row whose quotes are still open, and where it began. */
  #open: { text: Buffer; readonly position: Position } | undefined;

  /** `header` is given where reading goes on in the middle of a file. */
  constructor(sink: TupleSink, header?: string) {
    this.#sink = sink;
    if (header !== undefined) this.#layout = readHeader(header);
  }

  line(bytes: Buffer, start: number, end: number, position: Position): void {
    if (this.#open !== undefined) return this.#continue(bytes.subarray(start, end), position);
    if (start === end || bytes[start] === HASH) return;
    if (this.#layout === undefined) {
      this.#layout = readHeader(bytes.toString('utf8', start, end));
      return;
    }
    if (this.#readPlain(this.#layout, bytes, start, end, position.line)) return;
    const row = bytes.subarray(start, end);
    if (isBalanced(row)) return this.#readSlowly(row, position.line);
    this.#open = { text: Buffer.from(row), position: { offset: position.offset, line: position.line - 1 } };
  }

  pause(position: Position): Promise<void> | undefined {
    return this.#sink.pause(this.#open?.position ?? position);
  }

  end(): void {
    if (this.#open === undefined) return;
    this.#sink.reject(this.#open.position.line + 1, 'has a quote that is never closed', this.#open.text);
    this.#open = undefined;
  }

  #continue(line: Buffer, position: Position): void {
    const open = this.#open as { text: Buffer; readonly position: Position }; // the caller looked
    open.text = Buffer.concat([open.text, Buffer.from('\n'), line]);
    if (open.text.length > ROW_BYTES_MAX) throw new CliError(`line ${position.line}: a row is longer than 4 MiB`);
    if (!isBalanced(open.text)) return;
    this.#open = undefined;
    this.#readSlowly(open.text, open.position.line + 1);
  }

  /** Puts the row into the text form of a tuple and scans that. False where the row has to be read the slow way. */
  #readPlain(layout: RowLayout, bytes: Buffer, start: number, end: number, line: number): boolean {
    const ends = this.#ends;
    ends.length = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === COMMA) ends.push(at);
      else if (byte === QUOTE) return false;
    }
    ends.push(end);
    if (ends.length !== layout.width || end - start > SCRATCH_BYTES - 8) return false;
    if (!this.#isEmpty(layout.conditionName, start) || !this.#isEmpty(layout.expiresAt, start)) return false;
    if (!this.#isEmpty(layout.conditionContext, start)) return false;
    const object = this.#putName(bytes, start, 0, layout.object, layout.objectType, layout.objectId);
    this.#scratch[object] = HASH;
    const relation = this.#put(bytes, start, object + 1, layout.relation);
    this.#scratch[relation] = AT;
    let length = this.#putName(bytes, start, relation + 1, layout.subject, layout.subjectType, layout.subjectId);
    if (layout.subject < 0 && !this.#isEmpty(layout.subjectRelation, start)) {
      this.#scratch[length] = HASH;
      length = this.#put(bytes, start, length + 1, layout.subjectRelation);
    }
    // a field that itself contains # or @ is no plain row
    if (!scanTuple(this.#scratch, 0, length) || tupleParts.objectEnd !== object || tupleParts.relationEnd !== relation)
      return false;
    this.#sink.addScanned(line, this.#scratch, bytes, start, end);
    return true;
  }

  #readSlowly(row: Buffer, line: number): void {
    if (!isUtf8(row)) return this.#sink.reject(line, 'is not UTF-8', row);
    let fields: string[] | undefined;
    try {
      [fields] = parse(row) as string[][];
    } catch (error) {
      return this.#sink.reject(line, `is not CSV: ${(error as Error).message}`, row);
    }
    const tuple = tupleFromRow(this.#layout as RowLayout, fields ?? []); // rows come after the header
    if (typeof tuple === 'string') this.#sink.reject(line, tuple, row);
    else this.#sink.add(line, tuple, row);
  }

  #putName(bytes: Buffer, start: number, to: number, whole: number, type: number, id: number): number {
    if (whole >= 0) return this.#put(bytes, start, to, whole);
    const colon = this.#put(bytes, start, to, type);
    this.#scratch[colon] = COLON;
    return this.#put(bytes, start, colon + 1, id);
  }

  #put(bytes: Buffer, start: number, to: number, field: number): number {
    const from = this.#startOf(field, start);
    const end = this.#ends[field] ?? from;
    let at = to;
    for (let i = from; i < end; i++) this.#scratch[at++] = bytes[i] as number;
    return at;
  }

  #isEmpty(field: number, start: number): boolean {
    return field < 0 || this.#startOf(field, start) >= (this.#ends[field] ?? 0);
  }

  #startOf(field: number, start: number): number {
    return field === 0 ? start : (this.#ends[field - 1] ?? 0) + 1;
  }
}

function readHeader(line: string): RowLayout {
  const [names = []] = parse(line.replace(/^\uFEFF/u, '')) as string[][];
  return rowLayout(names);
}

function isBalanced(bytes: Buffer): boolean {
  let quotes = 0;
  for (const byte of bytes) if (byte === QUOTE) quotes++;
  return quotes % 2 === 0;
}
