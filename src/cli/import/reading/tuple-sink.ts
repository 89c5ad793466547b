import type { Tuple } from '#engine';
import type { Position } from './read-lines.ts';

/** Where the readers of all formats put what they find. */
export interface TupleSink {
  /** The tuple that `scanTuple` has just found; `tupleParts` are offsets in `source`. `raw` is the line. */
  addScanned(line: number, source: Buffer, raw: Buffer, rawStart: number, rawEnd: number): void;
  add(line: number, tuple: Tuple, raw: Uint8Array): void;
  /** `reason` reads after the line's number. `raw` is the line, for the file of refused lines. */
  reject(line: number, reason: string, raw: Uint8Array): void;
  /** Everything before `position` has been added. Resolves when reading may go on; undefined: at once. */
  pause(position: Position): Promise<void> | undefined;
}
