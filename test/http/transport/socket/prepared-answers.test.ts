import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerBlock } from '../../../../src/http/transport/header-block.ts';
import { addAnswer } from '../../../../src/http/transport/socket/answers/answer-writer.ts';
import { PreparedAnswers } from '../../../../src/http/transport/socket/answers/prepared-answers.ts';
import type { SocketOutput } from '../../../../src/http/transport/socket/answers/socket-output.ts';
import { SocketExchange } from '../../../../src/http/transport/socket/connections/socket-exchange.ts';
import type { Outgoing } from '../../../../src/http/transport/transport.ts';
import { seed } from '../../../generated/seed.ts';

interface Asked {
  readonly method: string;
  readonly isLast: boolean;
  readonly isOld: boolean;
  readonly id: string;
}

/** What is written, and whether it is said to be ASCII alone. */
function written(answers: PreparedAnswers, outgoing: Outgoing, date: string, asked: Asked): [string, boolean] {
  let all = '';
  let isAscii = true;
  const output = {
    add(text: string, isAsciiText: boolean) {
      all += text;
      isAscii &&= isAsciiText;
    },
    addBytes(bytes: Uint8Array) {
      all += Buffer.from(bytes).toString('latin1');
    },
  };
  const exchange = new SocketExchange();
  exchange.method = asked.method;
  exchange.id = asked.id;
  exchange.head.isLast = asked.isLast;
  exchange.head.isOld = asked.isOld;
  // of an output, nothing else is used for an answer that is not large
  addAnswer(output as SocketOutput, exchange, outgoing, date, answers);
  return [all, isAscii];
}

const head = headerBlock({ 'content-type': 'application/json' });
const plain: Outgoing = { status: 200, head, body: '{"allowed":true}' };

const outgoings: readonly Outgoing[] = [
  plain,
  { status: 200, head, body: '{"allowed":false}' },
  { status: 200, head, body: '{"name":"Zoë"}' },
  { status: 200, head, body: '' },
  { status: 200, head, body: undefined },
  { status: 200, head, body: Buffer.from('bytes') },
  { status: 200, head, more: ['x-more', '1'], body: 'more' },
  { status: 200, head, more: [], body: 'none more' },
  { status: 204, head, body: undefined },
  { status: 403, head, body: '{"type":"forbidden"}' },
];

const answer = fc.record({
  outgoing: fc.constantFrom(...outgoings),
  date: fc.constantFrom('date: Mon, 23 Nov 2026 21:30:00 GMT\r\n', 'date: Mon, 23 Nov 2026 21:30:01 GMT\r\n'),
  asked: fc.record({
    method: fc.constantFrom('POST', 'GET', 'HEAD'),
    isLast: fc.boolean(),
    isOld: fc.boolean(),
    id: fc.constantFrom('id-1', 'id-2', 'id-3'),
  }),
});

describe('answers that are given again', () => {
  test('are written as if each was the first', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 60 }), (given) => {
        const answers = new PreparedAnswers();
        for (const { outgoing, date, asked } of given) {
          expect(written(answers, outgoing, date, asked)).toEqual(
            written(new PreparedAnswers(), outgoing, date, asked),
          );
        }
      }),
      { numRuns: 500, seed },
    );
  });

  test('are prepared from the second time on, once for each date', () => {
    const answers = new PreparedAnswers();
    const other: Outgoing = { ...plain };
    expect(answers.of(plain, 'date: 1\r\n')).toBeUndefined();
    expect(answers.of(other, 'date: 1\r\n')).toBeUndefined();
    const prepared = answers.of(plain, 'date: 1\r\n');
    expect(prepared?.start).toBe(`HTTP/1.1 200 OK\r\ndate: 1\r\n${head.text}`);
    expect(prepared?.end).toBe('\r\ncontent-length: 16\r\n\r\n{"allowed":true}');
    expect(answers.of(other, 'date: 1\r\n')?.end).toBe(prepared?.end);
    expect(answers.of(plain, 'date: 1\r\n')).toBe(prepared);
    expect(answers.of(plain, 'date: 2\r\n')?.start).toContain('date: 2');
  });
});
