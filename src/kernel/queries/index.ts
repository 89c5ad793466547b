export { answerQuery, failureOf, permitted } from './answer-query.ts';
export {
  AnswerWithHeaders,
  type QueryAnswer,
  type QueryHandler,
  type QueryPool,
  type QueryRequest,
  type QueryTask,
} from './query-handler.ts';
export { problemOf, queryReply, requestOf } from './query-reply.ts';
export { type ErrorData, errorData, errorOf } from './thread-error.ts';
