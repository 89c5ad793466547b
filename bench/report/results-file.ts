import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Line, ratioOf, verdictOf } from './line.ts';
import type { Machine } from './machine.ts';

/** A line, and the suite that measured it. */
export interface MeasuredLine extends Line {
  readonly suite: string;
}

export interface RunFacts {
  readonly date: Date;
  readonly commit: string;
  readonly machine: Machine;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Writes the lines with all that was measured beside them, and answers the path. */
export function writeResults(folder: string, facts: RunFacts, lines: readonly MeasuredLine[]): string {
  mkdirSync(folder, { recursive: true });
  const stamp = facts.date.toISOString().slice(0, 19).replaceAll(':', '');
  const path = join(folder, `${stamp}-${facts.commit}.json`);
  const shown = lines.map((line) => ({ ...line, ratio: ratioOf(line), verdict: verdictOf(line) }));
  writeFileSync(path, `${JSON.stringify({ ...facts, lines: shown }, undefined, 2)}\n`);
  return path;
}
