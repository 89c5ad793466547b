import { expect, test } from 'vitest';
import { withoutLocks } from '../../../../engine/store/lock/file-lock.ts';

const cause = new Error('no binary');

test.each([
  {
    name: 'Linux without glibc',
    platform: 'linux',
    glibc: false,
    expect: /^nothing can be written, .*Alpine has musl.*node:24-slim/,
  },
  {
    name: 'Linux with glibc',
    platform: 'linux',
    glibc: true,
    expect: /^nothing can be written, .*Install the packages again/,
  },
  {
    name: 'another system',
    platform: 'sunos',
    glibc: false,
    expect: /^nothing can be written, .*sunos on x64.*has a binary/,
  },
])('where file locks cannot be loaded, on $name, the error says what to do', ({ platform, glibc, expect: message }) => {
  const error = withoutLocks(platform, 'x64', glibc, cause);
  expect(error).toMatchObject({ code: 'unavailable', cause });
  expect(error.message).toMatch(message);
  expect(error.message).toContain('no binary');
});
