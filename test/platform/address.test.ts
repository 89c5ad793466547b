import { describe, expect, test } from 'vitest';
import { addressKey, addressList, clientAddress, normaliseAddress, parseRange } from '../../src/platform/index.ts';

describe('normalising an address', () => {
  const table = [
    { name: 'version 4', given: '192.0.2.1', expect: '192.0.2.1' },
    { name: 'mapped', given: '::ffff:192.0.2.1', expect: '192.0.2.1' },
    { name: 'mapped, in hexadecimal', given: '::ffff:c000:201', expect: '192.0.2.1' },
    { name: 'mapped, expanded', given: '0000:0000:0000:0000:0000:ffff:7f00:0001', expect: '127.0.0.1' },
    { name: 'version 6', given: '2001:0DB8:0:0:1:0:0:1', expect: '2001:db8::1:0:0:1' },
    { name: 'loopback', given: '0:0:0:0:0:0:0:1', expect: '::1' },
    { name: 'all zero', given: '::', expect: '::' },
    { name: 'one zero group is not shortened', given: '1:2:3:0:5:6:7:8', expect: '1:2:3:0:5:6:7:8' },
    { name: 'trailing zeros', given: 'fe80:0:0:0:0:0:0:0', expect: 'fe80::' },
    { name: 'a gap for one group', given: '1:2:3:4:5:6:7::', expect: '1:2:3:4:5:6:7:0' },
    { name: 'a gap for none', given: '1:2:3:4::5:6:7:8', expect: '' },
    { name: 'a zone', given: 'fe80::1%eth0', expect: 'fe80::1' },
    { name: 'a long zone', given: `fe80::1%${'z'.repeat(56)}`, expect: 'fe80::1' },
    { name: 'more than 64 characters', given: `fe80::1%${'z'.repeat(57)}`, expect: '' },
    { name: 'an octal look-alike', given: '010.0.0.1', expect: '' },
    { name: 'too few parts', given: '10.1', expect: '' },
    { name: 'too large a part', given: '256.0.0.1', expect: '' },
    { name: 'two gaps', given: '1::2::3', expect: '' },
    { name: 'too many groups', given: '1:2:3:4:5:6:7:8:9', expect: '' },
    { name: 'too few groups', given: '1:2:3', expect: '' },
    { name: 'nothing', given: '', expect: '' },
    { name: 'text', given: 'localhost', expect: '' },
    { name: 'much text', given: '1'.repeat(100), expect: '' },
  ];
  test.each(table)('$name', ({ given, expect: expected }) => {
    expect(normaliseAddress(given)).toBe(expected);
  });
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
  ['nonsense', ''],
])('the first half of %s is %j', (given, expected) => {
  expect(addressKey(given)).toBe(expected);
});

describe('ranges', () => {
  const table = [
    { name: 'inside', given: ['10.0.0.0/8', '10.255.1.1'], expect: true },
    { name: 'outside', given: ['10.0.0.0/8', '11.0.0.1'], expect: false },
    { name: 'a mapped address in a range of version 4', given: ['10.0.0.0/8', '::ffff:a00:1'], expect: true },
    { name: 'bits within a byte', given: ['192.168.16.0/20', '192.168.31.255'], expect: true },
    { name: 'bits within a byte, outside', given: ['192.168.16.0/20', '192.168.32.0'], expect: false },
    { name: 'version 6', given: ['2001:db8::/33', '2001:db8:7fff::1'], expect: true },
    { name: 'version 6, outside', given: ['2001:db8::/33', '2001:db8:8000::1'], expect: false },
    {
      name: 'everything of version 4 is not everything of version 6',
      given: ['0.0.0.0/0', '2001:db8::1'],
      expect: false,
    },
    { name: 'everything of version 6', given: ['::/0', '2001:db8::1'], expect: true },
    { name: 'everything of version 6 is nothing of version 4', given: ['::/0', '10.0.0.1'], expect: false },
    { name: 'nor is what reaches around the mapped form', given: ['::/80', '::ffff:10.0.0.1'], expect: false },
    { name: 'version 4 in the mapped form', given: ['::ffff:10.0.0.0/104', '10.9.9.9'], expect: true },
    { name: 'a single address', given: ['::1', '::1'], expect: true },
    { name: 'an unknown address', given: ['0.0.0.0/0', ''], expect: false },
  ] as const;
  test.each(table)('$name', ({ given: [range, address], expect: expected }) => {
    expect(addressList([range]).has(address)).toBe(expected);
  });

  test.each(['', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', 'x/8', '10.0.0.0/-1'])('refuses %j', (text) => {
    expect(parseRange(text)).toBeUndefined();
    expect(() => addressList([text])).toThrow(RangeError);
  });
});

describe('the client behind proxies', () => {
  const trusted = addressList(['10.0.0.0/8', '::1']);
  const table = [
    { name: 'no proxy', given: ['203.0.113.9', ''], expect: '203.0.113.9' },
    {
      name: 'an untrusted peer cannot speak for others',
      given: ['203.0.113.9', '198.51.100.1'],
      expect: '203.0.113.9',
    },
    { name: 'a trusted peer can', given: ['10.0.0.1', '198.51.100.1'], expect: '198.51.100.1' },
    { name: 'a trusted peer without the header', given: ['10.0.0.1', ''], expect: '10.0.0.1' },
    {
      name: 'what the client wrote itself is not reached',
      given: ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2'],
      expect: '198.51.100.1',
    },
    { name: 'only proxies', given: ['10.0.0.1', '10.0.0.3,10.0.0.2'], expect: '10.0.0.3' },
    { name: 'an unreadable entry makes the client unknown', given: ['10.0.0.1', 'unknown'], expect: '' },
    {
      name: 'an unreadable entry further left is not reached',
      given: ['10.0.0.1', 'junk, 198.51.100.1'],
      expect: '198.51.100.1',
    },
    {
      name: 'an expanded mapped peer',
      given: ['0000:0000:0000:0000:0000:ffff:0a00:0001', '198.51.100.1'],
      expect: '198.51.100.1',
    },
    { name: 'a chain without end', given: ['10.0.0.1', '10.0.0.1,'.repeat(100)], expect: '' },
    { name: 'an unknown peer', given: ['', '198.51.100.1'], expect: '' },
  ] as const;
  test.each(table)('$name', ({ given: [peer, header], expect: expected }) => {
    expect(clientAddress(peer, header, trusted)).toBe(expected);
  });
});
