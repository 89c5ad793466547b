import { expect, it } from 'vitest';
import { KeptItems } from '../../../../engine/store/listing/found/kept-items.ts';

/** Which of some names are found anew, when each is asked for in turn. Each weighs 10 bytes with its name. */
function foundAnew(items: KeptItems, names: string): string {
  let anew = '';
  for (const name of names) {
    const value = items.get(
      name,
      () => 9,
      () => {
        anew += name;
        return name;
      },
    );
    expect(value).toBe(name);
  }
  return anew;
}

it('what was used least recently goes first', () => {
  const items = new KeptItems(30);
  expect(foundAnew(items, 'abcabc')).toBe('abc');
  expect(foundAnew(items, 'a')).toBe('');
  expect(foundAnew(items, 'd')).toBe('d');
  expect(foundAnew(items, 'acd')).toBe('');
  expect(foundAnew(items, 'b')).toBe('b');
  expect(foundAnew(items, 'cdb')).toBe('');
  expect(foundAnew(items, 'a')).toBe('a');
});

it('what is larger than all that is kept drives nothing out', () => {
  const items = new KeptItems(30);
  foundAnew(items, 'abc');
  let found = 0;
  for (let turn = 0; turn < 2; turn++)
    items.get(
      'large',
      () => 31,
      () => found++,
    );
  expect(found).toBe(2);
  expect(foundAnew(items, 'abc')).toBe('');
});
