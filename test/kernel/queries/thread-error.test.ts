import { openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../engine/index.ts';
import { errorData, errorOf } from '../../../src/kernel/queries/index.ts';

/** As between two threads. */
const sent = (error: unknown): Error => errorOf(structuredClone(errorData(error)));

function systemError(): unknown {
  try {
    return openSync('/nowhere/at/all', 'r');
  } catch (error) {
    return error;
  }
}

describe('an error that crosses threads', () => {
  it('of the engine keeps its class, code, details, stack and cause', () => {
    const error = new EngineError('corrupt', 'a record cannot be read', { id: 'a' }, new TypeError('the reason'));
    const arrived = sent(error);
    expect(arrived).toBeInstanceOf(EngineError);
    expect(arrived).toMatchObject({
      code: 'corrupt',
      message: error.message,
      details: { id: 'a' },
      stack: error.stack,
    });
    expect(arrived.cause).toMatchObject({ name: 'TypeError', message: 'the reason' });
  });

  it('of the system keeps its code', () => {
    expect(sent(systemError())).toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('nowhere') as string,
    });
  });

  it('keeps a chain of causes up to a bound, also one that leads back to itself', () => {
    const error = new Error('again');
    error.cause = error;
    let depth = 0;
    for (let each: unknown = sent(error); each instanceof Error; each = each.cause) depth++;
    expect(depth).toBe(9);
  });

  it.each([undefined, 'text', { a: 1 }])('of another type, such as %s, arrives as an error', (thrown) => {
    expect(sent(thrown)).toMatchObject({ name: 'Error', message: `${String(thrown)} was thrown` });
  });
});
