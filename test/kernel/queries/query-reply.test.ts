import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../../src/kernel/organizations/index.ts';
import {
  AnswerWithHeaders,
  answerQuery,
  type QueryHandler,
  type QueryPool,
  queryReply,
} from '../../../src/kernel/queries/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const body = { data: [1, 'two'] };
// of a caller the reply asks for these alone
const caller = { organization: { slug: 'acme' }, subject: 'user:anne' } as Caller;

let scratch: ScratchEngine;
let pool: QueryPool;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  const handlers: QueryHandler[] = [
    { kind: 'plain', permission: undefined, answer: () => body },
    { kind: 'outside', permission: undefined, answer: () => () => body },
    { kind: 'headed', permission: undefined, answer: () => new AnswerWithHeaders(body, { 'searched-to': 'then' }) },
  ];
  const works = new Map(handlers.map((each) => [each.kind, each]));
  const thread = { engine: scratch.engine, works, identify: () => caller };
  // between threads an answer is cloned
  pool = { run: async (request) => structuredClone(await answerQuery(thread, request)) };
});
afterAll(() => scratch.close());

test.for([
  { kind: 'plain', contentType: undefined, more: undefined },
  { kind: 'outside', contentType: 'application/scim+json', more: undefined },
  { kind: 'headed', contentType: undefined, more: ['searched-to', 'then'] },
  { kind: 'headed', contentType: 'application/scim+json', more: ['searched-to', 'then'] },
])('what the work answers, $kind as $contentType, is the reply', async ({ kind, contentType, more }) => {
  const reply = await queryReply(pool, caller, { kind }, contentType);
  expect(reply).toMatchObject({ status: 200, body: JSON.stringify(body), more });
});
