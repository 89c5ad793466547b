import { workerData } from 'node:worker_threads';
import { modules } from '../../modules.ts';
import type { TaskThreadData } from '../thread-data.ts';
import { serveTasks } from './serve-tasks.ts';

/** Entry of the thread of tasks. */
await serveTasks(workerData as TaskThreadData, modules);
