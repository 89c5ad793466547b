import { expect, it } from 'vitest';

it.each([{ message: 'no' }, new Error('no')])('a pattern in place of a text fails: %o', (seen) => {
  expect(() => expect(seen).toMatchObject({ message: /no/ })).toThrow(/to match object/);
  expect(seen).toMatchObject({ message: expect.stringMatching(/no/) });
  expect(() => expect(seen).toMatchObject({ message: expect.stringMatching(/yes/) })).toThrow();
});
