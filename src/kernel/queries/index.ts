export { answerQuery, failureOf } from './answer-query.ts';
export type { QueryAnswer, QueryHandler, QueryPool, QueryRequest, QueryTask } from './query-handler.ts';
export { problemOf, queryReply, requestOf } from './query-reply.ts';
export { recordListQuery } from './record-list-query.ts';
export { type ErrorData, errorData, errorOf } from './thread-error.ts';
