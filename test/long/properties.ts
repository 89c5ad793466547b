/**
 * Many generated sets of models and tuples against the oracle:
 *
 *     npx tsx test/long/properties.ts [sets = 200000] [seed]
 *
 * The work is split over two processes. The last line is the sum; the exit code is 1 where a set failed.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { WalkLimits } from '../../engine/evaluate/limits.ts';
import { type History, histories } from '../engine/properties/generate/history.ts';
import { type Scenario, scenarios } from '../engine/properties/generate/scenario.ts';
import { tangles } from '../engine/properties/generate/tangles.ts';
import { inBatches } from '../engine/properties/verify/in-batches.ts';
import { replay } from '../engine/properties/verify/replay.ts';
import type { Tally } from '../engine/properties/verify/verify-check.ts';
import { verifyScenario } from '../engine/properties/verify/verify-scenario.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

const PROCESSES = 2;
/** Sets between two reports. */
const CHUNK = 256;
/** Between the seeds of two chunks, since each counts its batches on from its own. */
const SEED_STEP = 1_000;
const HISTORIES_PER_CHUNK = 2;
const TANGLES_PER_CHUNK = 32;
/** By folder, by turns: as it is, and with equations in the place of every walk. */
const LIMITS: readonly Partial<WalkLimits>[] = [{}, {}, { equationsAlone: true }];
/** A new folder now and then keeps the old stores from slowing the run down. */
const CHUNKS_PER_FOLDER = 20;
const FAILURES_MAX = 5;

interface Report {
  readonly sets: number;
  readonly histories: number;
  readonly answers: readonly (readonly [string, number])[];
  readonly failures: readonly string[];
}

const [first = '200000', second] = process.argv.slice(2);
if (process.send === undefined) await supervise(Number(first), Number(second ?? Date.now() % 2 ** 31));
else await work(Number(first), Number(second));

async function supervise(sets: number, seed: number): Promise<void> {
  const began = performance.now();
  const total = { sets: 0, histories: 0, failures: 0 };
  const tally: Tally = new Map();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  let shown = 0;
  const add = (report: Report) => {
    total.sets += report.sets;
    total.histories += report.histories;
    total.failures += report.failures.length;
    for (const [outcome, count] of report.answers) tally.set(outcome, (tally.get(outcome) ?? 0) + count);
    for (const failure of report.failures) console.error(failure);
    if (seconds() - shown < 10) return;
    shown = seconds();
    console.log(`${total.sets} of ${sets} sets, ${total.failures} failed, ${shown} s`);
  };
  const codes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, i) => {
      const share = Math.floor((sets + i) / PROCESSES);
      const child = fork(fileURLToPath(import.meta.url), [String(share), String(seed + i * SEED_STEP)]);
      child.on('message', (report) => add(report as Report));
      return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
    }),
  );
  const answers = [...tally].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  console.log(`answers: ${answers}`);
  const { failures } = total;
  console.log(`${total.sets} sets, ${total.histories} histories, ${failures} failed, seed ${seed}, ${seconds()} s`);
  process.exitCode = failures > 0 || codes.some((code) => code !== 0) || total.sets < sets ? 1 : 0;
}

async function work(sets: number, seed: number): Promise<void> {
  let scratch = await openScratch(0);
  let failed = 0;
  for (let done = 0, chunk = 0; done < sets && failed < FAILURES_MAX; chunk++) {
    if (chunk > 0 && chunk % CHUNKS_PER_FOLDER === 0) {
      await scratch.close();
      scratch = await openScratch(chunk / CHUNKS_PER_FOLDER);
    }
    const count = Math.min(CHUNK, sets - done);
    const report = await verifyChunk(scratch, count, seed + chunk * PROCESSES * SEED_STEP);
    failed += report.failures.length;
    done += count;
    process.send?.(report);
  }
  await scratch.close();
  process.disconnect?.();
}

function openScratch(folder: number): Promise<ScratchEngine> {
  return ScratchEngine.open({ limits: LIMITS[folder % LIMITS.length] ?? {} });
}

async function verifyChunk({ engine }: ScratchEngine, sets: number, seed: number): Promise<Report> {
  const tally: Tally = new Map();
  const decide = (scenario: Scenario) => verifyScenario(engine, scenario, tally);
  const play = async (history: History) => void (await replay(engine, history));
  const failures: string[] = [];
  const note = (error: unknown) => failures.push(inspect(error));
  await inBatches(scenarios(), decide, { runs: sets, seed }).catch(note);
  await inBatches(tangles(), decide, { runs: TANGLES_PER_CHUNK, seed }).catch(note);
  await inBatches(histories(), play, { runs: HISTORIES_PER_CHUNK, seed }).catch(note);
  return { sets, histories: HISTORIES_PER_CHUNK, answers: [...tally], failures };
}
