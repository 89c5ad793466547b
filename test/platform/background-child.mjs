// What becomes of a process, by its argument, as `node background-child.mjs CASE`: it says "alive" where it goes on.
import { AssertionError } from 'node:assert';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { Background, createLog, logBeforeEnd } from '../../dist/src/platform/index.js';

const log = createLog({ level: 'info' }).with({ in: isMainThread ? 'main' : 'worker' });
logBeforeEnd(log);
const background = new Background({ log });
const lost = () => new TypeError('the outer error', { cause: new Error('the inner error') });
const cases = {
  error: () => void background.run('sweep', () => Promise.reject(lost())),
  handler: () =>
    process.nextTick(
      background.guarded('sweep', () => {
        throw lost();
      }),
    ),
  assertion: () =>
    void background.run('sweep', () => {
      throw new AssertionError({ message: 'a broken rule' });
    }),
  rejection: () => void Promise.reject(lost()),
  exception: () =>
    void setTimeout(() => {
      throw lost();
    }),
};
const [name, where] = isMainThread ? process.argv.slice(2) : [workerData];
if (where === 'worker') {
  const worker = new Worker(new URL(import.meta.url), { workerData: name });
  worker.on('error', (error) => {
    log.info({ name: error.name, code: error.code, inner: error.cause?.message }, 'the worker has failed');
    process.exitCode = 3;
  });
} else {
  cases[name]();
  setTimeout(() => log.info({}, 'alive'), 50);
}
