import { describe, expect, test } from 'vitest';
import { OutboundGuard } from '../../src/platform/index.ts';

const PUBLIC = '93.184.216.34';

function guardOf(addresses: readonly string[], allowsPrivate = false): OutboundGuard {
  return new OutboundGuard(allowsPrivate, async () => addresses.map((address) => ({ address })));
}

describe('a name', () => {
  test('goes to the first of its addresses', async () => {
    expect(await guardOf([PUBLIC, '2606:4700::1111']).resolve('a.example')).toEqual({ address: PUBLIC, family: 4 });
    expect(await guardOf(['2606:4700::1111', PUBLIC]).resolve('a.example')).toMatchObject({ family: 6 });
  });

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['fd00::1'],
    ['::ffff:192.168.0.1'],
    ['nonsense'],
  ])('with a public address and %s is refused, in whatever order they come', async (address) => {
    for (const addresses of [
      [PUBLIC, address],
      [address, PUBLIC],
      [PUBLIC, PUBLIC, address],
    ]) {
      const refused = (found: readonly string[]) =>
        guardOf([...found])
          .resolve('a.example')
          .then(
            () => expect.unreachable(),
            (reason: Error) => reason,
          );
      const error = await refused(addresses);
      // the cause is for the log alone: whoever chose the URL reads what is said of a name that nobody has
      const nobodys = await refused([]);
      const cause = new Error(`a.example has the address ${address}`);
      expect(error).toMatchObject({ name: 'OutboundError', code: 'unresolved', message: nobodys.message, cause });
    }
    expect(await guardOf([PUBLIC, address], true).resolve('a.example')).toMatchObject({ address: PUBLIC });
  });

  test('without an address, or that fails, is not resolved', async () => {
    await expect(guardOf([]).resolve('a.example')).rejects.toMatchObject({ code: 'unresolved' });
    const failing = new OutboundGuard(false, () => Promise.reject(new Error('ENOTFOUND')));
    const error = await failing.resolve('a.example').catch((reason: unknown) => reason);
    // for the log alone
    expect(error).toMatchObject({ code: 'unresolved', cause: new Error('ENOTFOUND') });
  });

  test('is not looked up where it is an address, which is judged as it stands', async () => {
    const guard = guardOf(['127.0.0.1']);
    expect(await guard.resolve(PUBLIC)).toEqual({ address: PUBLIC, family: 4 });
    await expect(guard.resolve('[::1]')).rejects.toMatchObject({ code: 'refused_address' });
  });
});

describe('a URL', () => {
  test.each([
    ['https://a.example/x', false, true],
    ['http://a.example/x', false, false],
    ['http://a.example/x', true, true],
    ['ftp://a.example/x', true, false],
    ['https://user@a.example/', false, false],
    ['https://:word@a.example/', true, false],
    ['a.example', true, false],
  ])('%s, where private ones are allowed: %s, is good: %s', (text, allowsPrivate, isGood) => {
    const read = () => guardOf([], allowsPrivate).requireUrl(text).href;
    if (isGood) expect(read()).toBe(text);
    else expect(read).toThrow(expect.objectContaining({ code: 'refused_url' }));
  });
});
