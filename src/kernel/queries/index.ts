export { answerHeavy, failureOf } from './answer-heavy.ts';
export { recordListWork } from './record-list-work.ts';
export { heavyReply, problemOf, requestOf } from './run.ts';
export { type ErrorData, errorData, errorOf } from './thread-error.ts';
export type { HeavyAnswer, HeavyRequest, HeavyRunner, HeavyTask, HeavyWork } from './work.ts';
