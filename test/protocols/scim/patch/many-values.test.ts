import { expect, it } from 'vitest';
import { patched } from './patching.ts';

const MOST = 100;
const ims = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ value: `a${from + at}` }));
const add = (from: number, count: number) => ({ op: 'add', path: 'ims', value: ims(from, count) });
const resource = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'L' },
  emails: [{ value: 'ada@people.example' }],
};

it('an attribute has so many values at most after each operation of a request', () => {
  expect(patched(resource, [add(0, MOST - 1), add(MOST - 1, 1)]).ims).toHaveLength(MOST);
  const tooMany = [add(0, MOST), add(MOST, 1), { op: 'remove', path: 'ims' }];
  expect(() => patched(resource, tooMany)).toThrow('ims: has more than 100 values.');
});
