/**
 * A service under a steady load for as long as wanted, and whether it is at the end what it was at the beginning:
 *
 *     npm run test:long soak [minutes = 60] [checks = 2000] [writes = 50] [tokens = 20]      (each in a second)
 *
 * Every answer is compared with what it must be. A line tells of each minute; the last ones compare the second quarter
 * of the run with the last one. The exit code is 1 where an answer was wrong or missing, an acknowledged write is lost,
 * `verify` finds a problem, or memory, the file or the times of checks have grown. The file keeps the audit log, whose
 * share is told by table and left out. Times are compared with those of empty answers of the same minutes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunningService } from '../server/running-service.ts';
import { Load } from './soak/load.ts';
import { footprint } from './soak/minute.ts';
import { growth, type Sample, sizesOfTables, told } from './soak/report.ts';

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const [minutes = '60', checks = '2000', writes = '50', tokens = '20'] = process.argv.slice(2);
const MINUTE_MS = 60_000;
const unlimited = { RELATA_LIMIT_RATE_ORDINARY: '0', RELATA_LIMIT_RATE_PUBLIC: '0' };

const service = await RunningService.start({ ...unlimited, RELATA_LOG_LEVEL: 'warn' });
const samples: Sample[] = [];
let isWhole = false;
try {
  const load = new Load(await service.organization('soak'));
  await load.prepare();
  load.start({ checks: Number(checks), writes: Number(writes), tokens: Number(tokens) });
  for (let number = 1; number <= Number(minutes); number++) {
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
    const isQuarter = number % Math.max(1, Math.floor(Number(minutes) / 4)) === 0;
    const tables = isQuarter ? sizesOfTables(join(service.folder, 'data/store')) : undefined;
    const sample = { number, ...load.takeMinute().summary(), ...footprint(service.pid, service.folder), tables };
    samples.push(sample);
    console.log(told(sample));
  }
  const lost = await load.stop();
  const { failures, lines } = growth(samples);
  if (lost > 0) failures.push(`${lost} acknowledged writes are not there`);
  if (load.lostAnswers > 0) failures.push(`${load.lostAnswers} requests were not answered`);
  const code = await service.stop();
  if (code !== 0) failures.push(`the service ended with ${code}: ${service.output().slice(-2000)}`);
  const verify = spawnSync(process.execPath, [main, 'verify', '--data', join(service.folder, 'data')]);
  lines.push(`verify: ${String(verify.stdout).trim()}`);
  if (verify.status !== 0) failures.push('verify has found problems');
  for (const line of [...lines, ...failures.map((failure) => `FAILED: ${failure}`)]) console.log(line);
  isWhole = failures.length === 0;
} finally {
  await service.remove();
}
process.exitCode = isWhole ? 0 : 1;
