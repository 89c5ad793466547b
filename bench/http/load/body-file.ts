import { closeSync, openSync, writeSync } from 'node:fs';

/** Request bodies back to back, each filled up with spaces to the same length; JSON allows them after the value. */
export interface BodyFile {
  readonly path: string;
  /** Bytes of each. */
  readonly width: number;
}

const BLOCK_BODIES = 1_000;

export function writeBodies(path: string, bodies: readonly string[]): BodyFile {
  const width = bodies.reduce((longest, body) => Math.max(longest, Buffer.byteLength(body)), 0);
  const file = openSync(path, 'w');
  for (let from = 0; from < bodies.length; from += BLOCK_BODIES) {
    const block = bodies.slice(from, from + BLOCK_BODIES);
    const bytes = Buffer.alloc(block.length * width, ' ');
    block.forEach((body, place) => {
      bytes.write(body, place * width);
    });
    writeSync(file, bytes);
  }
  closeSync(file);
  return { path, width };
}
