/**
 * Checks the data of a folder in a separate process, because LMDB may end the process at a damaged page.
 *
 *     verify-process.js FOLDER [TABLE...]
 *
 * It skips the named tables, which an earlier process has judged. It prints one event a line, as soon as it is known.
 */
import { writeSync } from 'node:fs';
import { EngineError, failure, type Outcome } from '../../../errors.ts';
import { type VerifyReport, verifyStore } from '../verify.ts';
import { type WalkEvent, walkTables } from './walk.ts';

export type VerifyEvent =
  | WalkEvent
  | { readonly kind: 'comparing' }
  | { readonly kind: 'compared'; readonly outcome: Outcome<VerifyReport> }
  /** An earlier process has found damage, so what is stored twice is not compared. */
  | { readonly kind: 'walked' };

const STDOUT = 1;

async function run(path: string, judged: readonly string[]): Promise<void> {
  let isDamaged = false;
  const tell = (event: VerifyEvent): void => {
    isDamaged ||= event.kind === 'damaged';
    writeSync(STDOUT, `${JSON.stringify(event)}\n`);
  };
  await walkTables(path, new Set(judged), tell);
  if (isDamaged) return;
  if (judged.length > 0) return tell({ kind: 'walked' });
  tell({ kind: 'comparing' });
  tell({ kind: 'compared', outcome: await outcomeOf(verifyStore(path)) });
}

async function outcomeOf(report: Promise<VerifyReport>): Promise<Outcome<VerifyReport>> {
  try {
    return { ok: true, value: await report };
  } catch (error) {
    if (error instanceof EngineError) return failure(error);
    throw error;
  }
}

const [, , path = '', ...judged] = process.argv;
await run(path, judged);
