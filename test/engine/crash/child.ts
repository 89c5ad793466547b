/**
 * The process that is killed. Writes with many concurrent writers until it is, and says on its standard output, a
 * file, which commits were acknowledged: one line each, written in one call after the answer, so that no line is
 * there for a commit that was not answered. Between them stand lines `saw REVISION`, each written after a read
 * that was answered at that revision.
 *
 *     child.ts FOLDER ROUND [nosync | last]
 *
 * `last` may lose the last commit, as a node of a cluster may.
 */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../../engine/engine.ts';
import { PortLog } from '../../../engine/log/port-log.ts';
import { startWriter } from '../../../engine/log/start-writer.ts';
import { allocateShared } from '../../../engine/store/open-writer.ts';
import { type CommitName, changesOf, commitId, isPoisoned, MODEL, NOTES, STORE, WRITERS } from './workload.ts';

/** A thread cannot load TypeScript. */
const WRITER_THREAD = new URL('dist/engine/log/writer-thread.js', pathToFileURL(`${process.cwd()}/`));
const STDOUT = 1;
const LOOK_EVERY_MS = 1;

const [path = '', round = '0', mode] = process.argv.slice(2);
const engine = await open();
lookUntilKilled(engine);
await writeUntilKilled(engine, Number(round));

async function open(): Promise<Engine> {
  const shared = allocateShared();
  const retention = { commitsMax: 1e9, bytesMax: 1e12, storeBytesMax: 1e12 };
  const writer = await startWriter(
    { path, shared, retention, unsafeNoSync: mode === 'nosync', mayLoseLastCommit: mode === 'last' },
    { entry: WRITER_THREAD },
  );
  const log = new PortLog(writer.connect());
  const engine = await Engine.open({ path, joined: { shared, log } });
  writer.failed.then((error) => {
    throw error;
  });
  await engine.defineListing(NOTES);
  if (!engine.storeNames().includes(STORE)) await (await engine.createStore(STORE)).writeModel(MODEL);
  return engine;
}

function lookUntilKilled(engine: Engine): void {
  let seen = 0;
  setInterval(() => {
    const revision = engine.read(() => {
      // A read of the store itself: a revision by itself is known without one.
      engine.store(STORE).stats();
      return engine.revision();
    });
    if (revision > seen) writeSync(STDOUT, `saw ${revision}\n`);
    seen = revision;
  }, LOOK_EVERY_MS);
}

async function writeUntilKilled(engine: Engine, round: number): Promise<void> {
  const write = async (writer: number): Promise<never> => {
    for (let number = 0; ; number++) await commit(engine, { round, writer, number });
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

async function commit(engine: Engine, name: CommitName): Promise<void> {
  const id = commitId(name);
  const answer = engine.submit({
    id,
    time: Date.now(),
    changes: changesOf(name),
  });
  if (isPoisoned(name)) {
    await answer.then(
      () => Promise.reject(new Error(`${id} was not refused`)),
      () => {},
    );
  } else {
    await answer;
    writeSync(STDOUT, `${id}\n`);
  }
}
