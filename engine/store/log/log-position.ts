import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

const POSITION = Buffer.from('log-position');

/** Up to which position of its log the store has applied every command; 0 where none was. It belongs to the log's identity. */
export function readPosition({ meta }: Tables): number {
  const bytes = meta.getBinaryFast(POSITION);
  return bytes === undefined ? 0 : readRevision(bytes);
}

/** Belongs to the transaction that applies the commands up to there. */
export function writePosition({ meta }: Tables, position: number): void {
  meta.putSync(POSITION, revisionKey(position));
}

/** For a copy, which is another log. */
export function forgetPosition({ meta }: Tables): void {
  meta.removeSync(POSITION);
}
