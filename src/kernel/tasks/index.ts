export { handlersByKind, performTask, type TaskServices } from './perform-task.ts';
export type { Task, TaskAnswer, TaskHandler, TaskQueue, TaskRequest } from './task-handler.ts';
export { taskAnswer, taskReply } from './task-reply.ts';
