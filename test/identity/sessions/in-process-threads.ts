import { identifyAgain } from '../../../src/access/guard/index.ts';
import { ofAll } from '../../../src/kernel/modules/index.ts';
import { answerQuery, type QueryPool } from '../../../src/kernel/queries/index.ts';
import { handlersByKind, performTask, type TaskQueue, type TaskServices } from '../../../src/kernel/tasks/index.ts';
import type { Background } from '../../../src/platform/index.ts';
import type { ServiceModule } from '../../../src/server/modules.ts';
import { queriesOf } from '../../../src/server/service/query-services.ts';
import type { Services } from '../../../src/server/service/services.ts';
import type { ReaderDependencies } from '../../../src/server/threads/open-reader.ts';

/** Answers queries in the thread of the test. */
export function inProcessQueries(
  modules: readonly ServiceModule[],
  reader: ReaderDependencies,
  background: Background,
): QueryPool {
  const works = new Map(queriesOf(modules, reader, background).map((work) => [work.kind, work]));
  const { engine } = reader;
  return { run: (request) => answerQuery({ engine, works, identify: (each) => identifyAgain(reader, each) }, request) };
}

/** Does tasks in the thread of the test, with the services of its endpoints. */
export class InProcessTasks implements TaskQueue {
  readonly #reader: ReaderDependencies;
  #services: TaskServices | undefined;

  constructor(reader: ReaderDependencies) {
    this.#reader = reader;
  }

  /** To be called before the first request. */
  serve(modules: readonly ServiceModule[], services: Services): void {
    const handlers = handlersByKind(ofAll(modules, ({ tasks }) => tasks?.(services)));
    const identify: TaskServices['identify'] = (request) => identifyAgain(this.#reader, request);
    this.#services = { engine: this.#reader.engine, handlers, identify };
  }

  run(request: Parameters<TaskQueue['run']>[0]): ReturnType<TaskQueue['run']> {
    if (this.#services === undefined) throw new Error('tasks are not served yet');
    return performTask(this.#services, structuredClone(request));
  }
}
