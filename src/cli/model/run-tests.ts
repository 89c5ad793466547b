import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, EngineError, type ModelOptions, type Question, type Store, type Tuple } from '#engine';
import { CliError } from '../cli-error.ts';
import { readSource, storeFileSources } from '../import/reading/sources.ts';
import { located, modelOf } from '../store-file/read-model.ts';
import { readStoreFile, type StoreFile, type StoreFileTest } from '../store-file/store-file.ts';
import { type AssertionResult, ask } from './ask.ts';
import { TupleList } from './tuple-list.ts';

export interface TestResult {
  readonly name: string;
  readonly assertions: readonly AssertionResult[];
  readonly milliseconds: number;
}

export interface FileResult {
  readonly path: string;
  readonly name: string;
  readonly tests: readonly TestResult[];
}

/** Tuples of one test are contextual; a test file may have more of them than a request. */
const CONTEXTUAL_MAX = 100_000;
const TIME_MAX_MS = 60_000;
const WRITE_STEP = 10_000;
const SINGLE_WRITER_BYTES = 8 * 2 ** 20;

/**
 * Runs the tests of one store file against an engine of its own in a temporary folder, its model merged with the base
 * where there is one. Throws `CliError` where the file, its model or its tuples cannot be used.
 */
export async function runStoreFile(path: string, options: ModelOptions = {}): Promise<FileResult> {
  const file = await readStoreFile(path);
  const folder = await mkdtemp(join(tmpdir(), 'relata-test-'));
  try {
    const limits = { contextualTuplesMax: CONTEXTUAL_MAX, timeMaxMs: TIME_MAX_MS };
    const engine = await Engine.open({ path: folder, limits, cacheBytes: SINGLE_WRITER_BYTES });
    try {
      const store = await prepare(engine, file, path, options);
      const tests: TestResult[] = [];
      for (const [index, test] of (file.tests ?? []).entries()) tests.push(await runTest(store, test, index, path));
      return { path, name: file.name ?? path, tests };
    } finally {
      await engine.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(engine: Engine, file: StoreFile, path: string, options: ModelOptions): Promise<Store> {
  const store = await engine.createStore('test');
  const source = await modelOf(file, path);
  const prepared = located(path, () => store.prepareModel(source, options));
  await store.writePreparedModel(source, prepared);
  const tuples = await readTuples(file, path, store);
  for (let start = 0; start < tuples.length; start += WRITE_STEP) {
    await store.write({ writes: tuples.slice(start, start + WRITE_STEP) });
  }
  return store;
}

/** Throws `CliError` for the first tuple that the model does not accept. */
async function readTuples(
  file: Pick<StoreFile, 'tuples' | 'tuple_file' | 'tuple_files'>,
  path: string,
  store: Store,
): Promise<Tuple[]> {
  const list = new TupleList(store.gate().require);
  for (const source of await storeFileSources(file, path)) {
    list.begin(source.name, source.kind === 'list' ? 'tuple' : 'line');
    await readSource(source, list, { offset: 0, line: 0 }, WRITE_STEP);
  }
  return list.tuples;
}

async function runTest(store: Store, test: StoreFileTest, index: number, path: string): Promise<TestResult> {
  const startedAt = performance.now();
  const name = test.name ?? `test ${index + 1}`;
  const contextualTuples = await readTuples(test, path, store);
  const shared: Question = contextualTuples.length === 0 ? {} : { contextualTuples };
  try {
    return { name, assertions: [...ask(store, test, shared)], milliseconds: performance.now() - startedAt };
  } catch (error) {
    if (error instanceof EngineError) throw new CliError(`${path}: ${name}: ${error.message}`);
    throw error;
  }
}
