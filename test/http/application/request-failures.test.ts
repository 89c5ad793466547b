import { expect, test } from 'vitest';
import { RequestFailures } from '../../../src/http/application/request-failures.ts';
import { problem } from '../../../src/http/problems/problem.ts';
import { type LogFields, silentLog } from '../../../src/platform/index.ts';

const request = { id: '1', method: 'POST', path: '/p' } as const;
const unavailable = problem('unavailable', 'Try again.');

function opened() {
  const lines: unknown[] = [];
  const note = (level: string) => (fields: LogFields, message: string) => {
    lines.push({ level, message, ...fields });
  };
  let now = 0;
  const log = new RequestFailures({ ...silentLog, error: note('error'), warn: note('warn') }, () => now);
  return { log, lines, at: (ms: number) => (now = ms) };
}

test('a failure of the service has a line with its error, each time', () => {
  const { log, lines } = opened();
  const error = new Error('broken');
  for (let n = 0; n < 3; n++) log.failed(request, error);
  const line = { level: 'error', message: 'a request failed', request_id: '1', method: 'POST', path: '/p', error };
  expect(lines).toEqual([line, line, line]);
});

test('requests that cannot be answered now have a line a second, which counts the others and has no stack', () => {
  const { log, lines, at } = opened();
  for (const ms of [0, 10, 999]) {
    at(ms);
    log.failed(request, new Error('no majority'), unavailable);
  }
  at(1000);
  log.failed(request, new Error('no majority'), unavailable);
  const line = {
    level: 'warn',
    message: 'a request cannot be answered now',
    request_id: '1',
    method: 'POST',
    path: '/p',
  };
  expect(lines).toEqual([
    { ...line, reason: 'no majority' },
    { ...line, reason: 'no majority', others_before: 2 },
  ]);
});
