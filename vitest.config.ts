import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isWhole } from './test/generated/extent.ts';
import { LongestFirst } from './test/generated/longest-first.ts';
import { seedOfRun } from './test/generated/run-seed.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // An alias and not the import condition "source": Vitest hands its conditions on as flags of Node.js, which threads
    // that a test starts from dist/ inherit, and would then resolve #engine to a .ts file that they cannot load.
    alias: { '#engine': fileURLToPath(new URL('./engine/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/server/share-service.ts'],
    setupFiles: ['test/generated/use-seed.ts', 'test/generated/refuse-patterns.ts', 'test/contract/watch-answers.ts'],
    env: { RELATA_SEED: String(seedOfRun()) },
    exclude: [...(isWhole ? [] : ['test/**/*.long.test.ts']), 'test/long/**', 'test/fixtures/**', '**/node_modules/**'],
    // Processes, because LMDB environments and native transports outlive a thread that is torn down.
    pool: 'forks',
    // A process for each file took a third of the time of a run, to load the same modules again and again.
    isolate: false,
    // More than the cores of a small machine, because a third of the time of all tests is spent waiting.
    maxWorkers: 4,
    // A long file that comes last has one core, and the other one nothing to do.
    sequence: { sequencer: LongestFirst },
    // Tests that run at once do nothing but wait for an end of silence.
    maxConcurrency: 64,
    // The longest takes a quarter of this where the whole run has two thirds of one core.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // What is polled for comes at once, and later on a machine with other work.
    expect: { poll: { timeout: 60_000 } },
    // A test that waits for a leaked handle says so instead of hanging.
    teardownTimeout: 10_000,
    // What fails once and passes then is named at the end of `npm test`: its test is to be mended, the run holds.
    // Generated inputs are the same at both tries.
    retry: 1,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
