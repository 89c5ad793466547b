import { isUtf8 } from 'node:buffer';
import { lostDigits } from '../../../http/index.ts';
import { tupleFromJson } from '../../tuples/tuple-json.ts';
import type { LineVisitor, Position } from './read-lines.ts';
import { scanTuple } from './scan-tuple.ts';
import type { TupleSink } from './tuple-sink.ts';

const HASH = 0x23;
const OPEN = 0x7b;
const QUOTE = 0x22;

/**
 * One tuple a line, as JSON or as text `object#relation@subject`. Empty lines and lines that begin with `#` are passed
 * over, so that a file of refused lines with their reasons can be imported again.
 */
export function ndjsonVisitor(sink: TupleSink): LineVisitor {
  return {
    line(bytes, start, end, position) {
      if (start === end || bytes[start] === HASH) return;
      if (bytes[start] !== QUOTE && scanTuple(bytes, start, end))
        sink.addScanned(position.line, bytes, bytes, start, end);
      else readSlowly(bytes.subarray(start, end), position, sink);
    },
    pause: (position) => sink.pause(position),
  };
}

function readSlowly(line: Buffer, position: Position, sink: TupleSink): void {
  if (!isUtf8(line)) return sink.reject(position.line, 'is not UTF-8', line);
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .trim();
  if (text === '' || text.startsWith('#')) return;
  let value: unknown = text;
  if (text.charCodeAt(0) === OPEN || text.charCodeAt(0) === QUOTE) {
    try {
      value = JSON.parse(text);
    } catch (error) {
      return sink.reject(position.line, `is not JSON: ${(error as SyntaxError).message}`, line);
    }
  }
  const lost = value === text ? undefined : lostDigits(text);
  if (lost !== undefined) return sink.reject(position.line, `${lost.path}: ${lost.message}`, line);
  const tuple = tupleFromJson(value);
  if (typeof tuple === 'string') sink.reject(position.line, tuple, line);
  else sink.add(position.line, tuple, line);
}
