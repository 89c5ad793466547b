import { describe, expect, test } from 'vitest';
import { FakeProvider, patch, post } from './fake-provider.ts';

describe('the order of operations (RFC 7644, 3.7)', () => {
  test('independent ones run at once, and no more than a window of them', async () => {
    const provider = new FakeProvider();
    await provider.bulk(Array.from({ length: 100 }, (_, n) => post(`u${n}`, { userName: `u${n}` })));
    expect(provider.runningMost).toBe(64);
  });

  test.each([
    { name: 'on one resource', operations: [patch('/Users/1', { n: 1 }), patch('/Users/1', { n: 2 })] },
    {
      name: 'on one resource that the request creates',
      operations: [post('a'), patch('/Users/bulkId:a', { n: 1 }), patch('/Users/bulkId:a', { n: 2 })],
    },
    {
      name: 'with one user name, in any case',
      operations: [post('a', { userName: 'x' }), post('b', { userName: 'X' })],
    },
    {
      name: 'of which one takes a name that another gives up by being deleted',
      operations: [{ method: 'DELETE', path: '/Users/1' }, post('a', { userName: 'one' })],
    },
    {
      name: 'of which one takes a name that another gives up for a new one',
      operations: [
        patch('/Users/1', { Operations: [{ op: 'replace', path: 'userName', value: 'new' }] }),
        post('a', { userName: 'one' }),
      ],
    },
    {
      name: 'of which one takes a name that another has taken and given up',
      operations: [
        patch('/Users/1', { Operations: [{ op: 'Replace', value: { userName: 'between' } }] }),
        patch('/Users/1', { Operations: [{ op: 'replace', path: 'urn:a:b:2.0:User:userName', value: 'end' }] }),
        patch('/Users/2', { Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'BETWEEN' }] }),
      ],
    },
    {
      name: 'with one address',
      operations: [
        post('a', { emails: [{ value: 'x@example.com' }] }),
        post('b', { emails: ['X@example.com'] }),
        patch('/Users/1', { Operations: [{ op: 'add', value: { emails: [{ value: 'x@example.com' }] } }] }),
      ],
    },
    {
      name: 'of which one names a resource that another changes',
      operations: [
        patch('/Groups/g', { Operations: [{ op: 'add', path: 'members', value: [{ value: '1' }] }] }),
        { method: 'DELETE', path: '/Users/1' },
        patch('/Groups/h', { Operations: [{ op: 'remove', path: 'members[value eq "1"]' }] }),
      ],
    },
  ])('is that of the request among those $name', async ({ operations }) => {
    // the first takes longest
    let turns = 50;
    const provider = new FakeProvider(() => (turns -= 10));
    provider.add('1', { userName: 'one' });
    provider.add('2', { userName: 'two' });
    await provider.bulk(operations);
    expect(provider.runningMost).toBe(1);
    const wanted = operations.map((each) => each.method);
    expect(provider.begun.map((each) => each.split(' ')[0])).toEqual(wanted);
  });

  test('lets those run at once that have the same types of addresses', async () => {
    const provider = new FakeProvider();
    const anybody = (name: string) => post(name, { userName: name, emails: [{ value: `${name}@x`, type: 'work' }] });
    await provider.bulk([anybody('a'), anybody('b'), anybody('c')]);
    expect(provider.runningMost).toBe(3);
  });

  test('lets those run at once that name the same resource and do not change it', async () => {
    const provider = new FakeProvider();
    const add = (id: string) => patch(`/Groups/${id}`, { members: [{ value: '1' }] });
    await provider.bulk([patch('/Users/1'), add('g'), add('h')]);
    expect(provider.runningMost).toBe(2);
  });
});
