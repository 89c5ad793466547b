export {
  handlersByKind,
  performTask,
  type Task,
  type TaskAnswer,
  type TaskHandler,
  type TaskQueue,
  type TaskRequest,
  type TaskServices,
  taskAnswer,
  taskReply,
} from './task.ts';
