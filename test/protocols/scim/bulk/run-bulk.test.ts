import { describe, expect, test } from 'vitest';
import { ProblemError, problem } from '../../../../src/http/index.ts';
import { base, errorOf, FakeProvider, patch, post, statuses } from './fake-provider.ts';

const group = (bulkId: string, ...members: string[]) =>
  post(bulkId, { displayName: bulkId, members: members.map((value) => ({ value })) }, '/Groups');

describe('a bulk response (RFC 7644, 3.7 and 3.7.3)', () => {
  test('has the result of each operation, in the order of the request, with its method, bulkId, version, location and status', async () => {
    const provider = new FakeProvider();
    provider.add('1', {});
    provider.add('2', {});
    const response = await provider.bulk([
      post('anne', { userName: 'anne' }),
      { method: 'PUT', path: '/Users/1', version: 'W/"1"', data: { userName: 'ben' } },
      patch('/Users/2'),
      { method: 'DELETE', path: '/Users/2' },
    ]);
    expect(response).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
      Operations: [
        { method: 'POST', bulkId: 'anne', version: 'W/"1"', location: `${base}/Users/id-0`, status: '201' },
        { method: 'PUT', version: 'W/"1"', location: `${base}/Users/1`, status: '200' },
        { method: 'PATCH', version: 'W/"1"', location: `${base}/Users/2`, status: '200' },
        { method: 'DELETE', location: `${base}/Users/2`, status: '204' },
      ],
    });
  });

  test('has the error of each operation that failed, and a location unless it is a POST', async () => {
    const provider = new FakeProvider();
    provider.add('1', { userName: 'anne' });
    const { Operations } = await provider.bulk([
      post('a', { userName: 'Anne' }),
      { method: 'PUT', path: '/Users/1', version: 'W/"4"', data: {} },
      patch('/Users/none'),
      { method: 'DELETE', path: '/Groups/none' },
    ]);
    expect(Operations).toEqual([
      { method: 'POST', bulkId: 'a', status: '409', response: expect.objectContaining({ status: '409' }) },
      {
        method: 'PUT',
        location: `${base}/Users/1`,
        status: '412',
        response: expect.objectContaining({ status: '412' }),
      },
      {
        method: 'PATCH',
        location: `${base}/Users/none`,
        status: '404',
        response: expect.objectContaining({ status: '404' }),
      },
      {
        method: 'DELETE',
        location: `${base}/Groups/none`,
        status: '404',
        response: expect.objectContaining({ status: '404' }),
      },
    ]);
  });

  test('goes on after operations that failed', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([patch('/Users/none'), post('a'), patch('/Users/none'), post('b')]);
    expect(statuses(response)).toEqual(['404', '201', '404', '201']);
  });

  test('tells of an operation that failed without an answer, and goes on', async () => {
    const provider = new FakeProvider();
    const bug = new TypeError('a bug');
    const response = await provider.bulk([
      post('a', { throws: bug }),
      post('b', { throws: new ProblemError(problem('forbidden', 'No.')) }),
      post('c'),
    ]);
    expect(statuses(response)).toEqual(['500', '403', '201']);
    expect(errorOf(response, 0).detail).toBe('The operation failed. The log has the reason.');
    expect(errorOf(response, 1).detail).toBe('No.');
    expect(provider.failures).toEqual([bug]);
  });
});

describe('bulkId (RFC 7644, 3.7.2)', () => {
  test('is replaced by the id of the resource, wherever it stands, whatever the order', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([
      group('team', 'bulkId:anne', 'bulkId:ben'),
      patch('/Groups/bulkId:team', {
        Operations: [{ op: 'remove', path: 'members[value eq "bulkId:ben"]' }],
        deep: [{ deeper: { deepest: ['bulkId:team'] } }],
      }),
      post('ben', { userName: 'ben', manager: { value: 'bulkId:anne' } }),
      post('anne', { userName: 'anne' }),
    ]);
    expect(statuses(response)).toEqual(['201', '200', '201', '201']);
    expect(provider.begun).toEqual(['POST /Users anne', 'POST /Users ben', 'POST /Groups team', 'PATCH /Groups/id-2']);
    expect(provider.performed.map(({ data }) => data)).toEqual([
      { userName: 'anne' },
      { userName: 'ben', manager: { value: 'id-0' } },
      { displayName: 'team', members: [{ value: 'id-0' }, { value: 'id-1' }] },
      {
        Operations: [{ op: 'remove', path: 'members[value eq "id-1"]' }],
        deep: [{ deeper: { deepest: ['id-2'] } }],
      },
    ]);
    expect(response.Operations[1]?.location).toBe(`${base}/Groups/id-2`);
  });

  test('is a reference where it is a whole text, and in the filter of a path, and nowhere else', async () => {
    const provider = new FakeProvider();
    const data = { title: 'see bulkId:anne', note: '"bulkId:anne"', 'bulkId:anne': 1, count: 7, none: null, yes: true };
    const response = await provider.bulk([post('a', data)]);
    expect(statuses(response)).toEqual(['201']);
    expect(provider.performed[0]?.data).toEqual(data);
  });

  test('may stand in a path as it is sent in URLs', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([patch('/Users/bulkId%3Aan%20ne'), post('an ne')]);
    expect(statuses(response)).toEqual(['200', '201']);
  });

  test.each([
    [
      'in data',
      group('team', 'bulkId:nobody'),
      'bulkId:nobody cannot be resolved: no operation of this request creates it.',
    ],
    [
      'in a path',
      patch('/Users/bulkId:nobody'),
      'bulkId:nobody cannot be resolved: no operation of this request creates it.',
    ],
    [
      'of what failed',
      patch('/Users/bulkId:taken'),
      'bulkId:taken cannot be resolved: the operation that creates it has failed.',
    ],
    [
      'of what was not valid',
      group('t', 'bulkId:bad'),
      'bulkId:bad cannot be resolved: the operation that creates it has failed.',
    ],
  ])('that leads nowhere fails its operation: %s', async (_, operation, detail) => {
    const provider = new FakeProvider();
    provider.add('1', { userName: 'anne' });
    const response = await provider.bulk([
      operation,
      post('taken', { userName: 'anne' }),
      { method: 'POST', path: '/Users', bulkId: 'bad' },
      post('good'),
    ]);
    expect(statuses(response)).toEqual(['400', '409', '400', '201']);
    expect(errorOf(response, 0)).toMatchObject({ scimType: 'invalidValue', detail });
  });

  test('that several operations have fails them and what refers to it', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([post('a'), post('a'), group('team', 'bulkId:a'), post('b')]);
    expect(statuses(response)).toEqual(['400', '400', '400', '201']);
    expect(errorOf(response, 1)).toMatchObject({ detail: 'bulkId: a is the bulkId of several operations.' });
    expect(errorOf(response, 2).detail).toBe('bulkId:a cannot be resolved: several operations have this bulkId.');
  });

  test('is told of operations that create nothing too, and nothing refers to it there', async () => {
    const provider = new FakeProvider();
    provider.add('1', {});
    const response = await provider.bulk([{ ...patch('/Users/1'), bulkId: 'x' }, group('team', 'bulkId:x')]);
    expect(response.Operations[0]).toMatchObject({ bulkId: 'x', status: '200' });
    expect(statuses(response)).toEqual(['200', '400']);
  });
});

describe('a circle of references (RFC 7644, 3.7.1)', () => {
  test('fails each of its operations, which it names, and what refers to them, while the others run', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([
      group('a', 'bulkId:b'),
      group('b', 'bulkId:c'),
      group('c', 'bulkId:a', 'bulkId:anne'),
      group('outside', 'bulkId:a'),
      post('anne'),
      group('good', 'bulkId:anne'),
    ]);
    expect(statuses(response)).toEqual(['409', '409', '409', '400', '201', '201']);
    for (const place of [0, 1, 2]) {
      expect(errorOf(response, place)).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        detail: 'The operations with these bulkIds refer to each other in a circle: a, b, c.',
      });
    }
  });

  test('may be of one, and two circles are two', async () => {
    const provider = new FakeProvider();
    const response = await provider.bulk([
      post('self', { manager: { value: 'bulkId:self' } }),
      group('a', 'bulkId:b'),
      group('b', 'bulkId:a', 'bulkId:self'),
    ]);
    expect(statuses(response)).toEqual(['409', '409', '409']);
    expect(errorOf(response, 0).detail).toContain('circle: self.');
    expect(errorOf(response, 1).detail).toContain('circle: a, b.');
  });

  test('of many names some of them', async () => {
    const ring = Array.from({ length: 1000 }, (_, n) => group(`g${n}`, `bulkId:g${(n + 1) % 1000}`));
    const response = await new FakeProvider().bulk(ring);
    expect(new Set(statuses(response))).toEqual(new Set(['409']));
    expect(errorOf(response, 500).detail).toContain('circle: g0, g1, g2, g3, g4, g5, g6, g7, g8, g9 and 990 more.');
  });
});
