import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIpAddress, parseIpRange, rangeContains } from '../../../../engine/condition/values/ip-address.ts';

const addresses = [
  { text: '1.2.3.4', family: 4, value: 0x01020304n },
  { text: '0.0.0.0', family: 4, value: 0n },
  { text: '255.255.255.255', family: 4, value: 0xffffffffn },
  { text: '::', family: 6, value: 0n },
  { text: '::1', family: 6, value: 1n },
  { text: '1::', family: 6, value: 1n << 112n },
  { text: '2001:db8::ff00:42:8329', family: 6, value: 0x20010db8000000000000ff0000428329n },
  { text: '2001:DB8:0:0:0:FF00:42:8329', family: 6, value: 0x20010db8000000000000ff0000428329n },
  { text: '64:ff9b::192.0.2.33', family: 6, value: 0x0064ff9b0000000000000000c0000221n },
  { text: '::ffff:1.2.3.4', family: 4, value: 0x01020304n },
  { text: '0000:0000:0000:0000:0000:ffff:0102:0304', family: 4, value: 0x01020304n },
];

describe('addresses', () => {
  it.each(addresses)('$text', ({ text, family, value }) => {
    expect(parseIpAddress(text)).toEqual({ family, value });
  });

  const malformed = [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.-4',
    '1.2.3.4 ',
    ' ::1',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
  ];
  const moreMalformed = [
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '::1::',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '1.2.3.4::',
    '::1.2.3',
    '::1.2.3.4:5',
  ];
  it.each([...malformed, ...moreMalformed, ':'.repeat(1000), '1'.repeat(1000)])('refuses %s', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });
});

const ranges = [
  { range: '192.168.0.0/24', address: '192.168.0.255', expect: true },
  { range: '192.168.0.0/24', address: '192.168.1.0', expect: false },
  { range: '192.168.0.77/24', address: '192.168.0.1', expect: true },
  { range: '0.0.0.0/0', address: '8.8.8.8', expect: true },
  { range: '0.0.0.0/0', address: '::1', expect: false },
  { range: '1.2.3.4/32', address: '1.2.3.4', expect: true },
  { range: '2001:db8::/32', address: '2001:db8:ffff::1', expect: true },
  { range: '2001:db8::/32', address: '2001:db9::1', expect: false },
  { range: '::/0', address: '2001:db9::1', expect: true },
  { range: '::/0', address: '1.2.3.4', expect: false },
  { range: '10.0.0.0/8', address: '::ffff:10.9.9.9', expect: true },
  { range: '::ffff:10.0.0.0/104', address: '10.9.9.9', expect: true },
  { range: '::ffff:10.0.0.0/104', address: '11.9.9.9', expect: false },
  { range: '::ffff:0:0/95', address: '::fffe:0:1', expect: true },
];

describe('ranges', () => {
  it.each(ranges)('$address in $range is $expect', ({ range, address, expect: wanted }) => {
    const [parsed, value] = [parseIpRange(range), parseIpAddress(address)];
    if (parsed === undefined || value === undefined) throw new Error('must parse');
    expect(rangeContains(parsed, value)).toBe(wanted);
  });

  it.each([
    '',
    '/',
    '1.2.3.4',
    '1.2.3.4/',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/08',
    '::/129',
    'x/8',
    '1.2.3.4/8/8',
    '1.2.3.4/1e1',
  ])('refuses %s', (text) => expect(parseIpRange(text)).toBeUndefined());

  it('agree with the bits of any IPv4 address', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), (left, right, prefix) => {
        const bits = (address: readonly number[]): string =>
          address.map((octet) => octet.toString(2).padStart(8, '0')).join('');
        const range = parseIpRange(`${left.join('.')}/${prefix}`);
        const address = parseIpAddress(`::ffff:${right.join('.')}`);
        if (range === undefined || address === undefined) throw new Error('must parse');
        expect(rangeContains(range, address)).toBe(bits(left).slice(0, prefix) === bits(right).slice(0, prefix));
      }),
    );
  });
});
