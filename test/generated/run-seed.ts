import { execFileSync } from 'node:child_process';

/**
 * One seed for all generated inputs of a run, so that a test that is tried again is given the same ones. `RELATA_SEED`
 * repeats a run. Where `CI` is set it is made from the commit: the same commit is judged alike each time. Elsewhere it
 * is another one every run.
 */
export function seedOfRun(): number {
  const { RELATA_SEED: given, CI: inCi } = process.env;
  if (given) return Number(given);
  return ((inCi ? ofCommit() : undefined) ?? Date.now()) % 2 ** 31;
}

function ofCommit(): number | undefined {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16);
  } catch {
    // no git, or no repository
    return undefined;
  }
}
