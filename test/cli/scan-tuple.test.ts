import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseObject, parseSubject, parseTuple, type Tuple } from '../../engine/tuple.ts';
import { scanTuple, tupleParts } from '../../src/cli/import/reading/scan-tuple.ts';

/** What the scan finds, as the tuple that it means; undefined where it leaves the line to the slow way. */
function scanned(line: string): Tuple | undefined {
  const bytes = Buffer.from(`xx${line}yy`);
  if (!scanTuple(bytes, 2, bytes.length - 2)) return undefined;
  const text = (start: number, end: number): string => bytes.toString('utf8', start, end);
  const object = text(tupleParts.object, tupleParts.objectEnd);
  expect(text(tupleParts.object, tupleParts.objectColon)).toBe(parseObject(object).type);
  const subject = text(tupleParts.subject, tupleParts.subjectEnd);
  const parsed = parseSubject(subject);
  expect(text(tupleParts.subject, tupleParts.subjectColon)).toBe(parsed.type);
  if (parsed.relation === '*') expect(tupleParts.nameEnd).toBeLessThan(tupleParts.subject);
  else expect(text(tupleParts.subject, tupleParts.nameEnd)).toBe(`${parsed.type}:${parsed.id}`);
  return { object, relation: text(tupleParts.relation, tupleParts.relationEnd), subject };
}

const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };

describe('scanTuple', () => {
  it.each<{ name: string; given: string; expect: Tuple }>([
    { name: 'JSON', given: '{"object":"doc:1","relation":"viewer","subject":"user:anne"}', expect: tuple },
    { name: 'another order', given: '{"subject":"user:anne","object":"doc:1","relation":"viewer"}', expect: tuple },
    { name: 'user for subject', given: '{"user":"user:anne","relation":"viewer","object":"doc:1"}', expect: tuple },
    {
      name: 'spaces',
      given: '{ "object" : "doc:1",\t"relation": "viewer" , "subject": "user:anne" }',
      expect: tuple,
    },
    { name: 'text', given: 'doc:1#viewer@user:anne', expect: tuple },
    {
      name: 'a userset',
      given: 'doc:1#viewer@group:a#member',
      expect: { ...tuple, subject: 'group:a#member' },
    },
    { name: 'a wildcard', given: 'doc:1#viewer@user:*', expect: { ...tuple, subject: 'user:*' } },
    {
      name: 'ids with colons, stars and at signs',
      given: '{"object":"doc:a:b","relation":"viewer","subject":"user:a*@b"}',
      expect: { object: 'doc:a:b', relation: 'viewer', subject: 'user:a*@b' },
    },
  ])('finds $name', ({ given, expect: expected }) => {
    expect(scanned(given)).toEqual(expected);
  });

  it.each([
    '',
    '{',
    '{}',
    '{"object":"doc:1","relation":"viewer"}',
    '{"object":"doc:1","relation":"viewer","subject":"user:anne"',
    '{"object":"doc:1","relation":"viewer","subject":"user:anne"} x',
    '{"object":"doc:1","relation":"viewer","subject":"user:anne","expiresAt":1}',
    '{"object":"doc:1","object":"doc:2","subject":"user:anne"}',
    '{"object":"doc:1","user":"user:1","subject":"user:anne"}',
    '{"object":"doc:\\u0031","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc:ä","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc:*","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc:","relation":"viewer","subject":"user:anne"}',
    '{"object":":1","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc:1#x","relation":"viewer","subject":"user:anne"}',
    '{"object":"doc:1","relation":"","subject":"user:anne"}',
    '{"object":"doc:1","relation":"vie wer","subject":"user:anne"}',
    '{"object":"doc:1","relation":"viewer","subject":"user:*#member"}',
    '{"object":"doc:1","relation":"viewer","subject":"group:a#"}',
    '{"object":"doc:1","relation":"viewer","subject":"group:a#b#c"}',
    '{"object":"doc 1","relation":"viewer","subject":"user:anne"}',
    'doc:1#viewer',
    'doc:1@user:1',
    '#viewer@user:1',
    `doc:${'x'.repeat(257)}#viewer@user:1`,
  ])('leaves %s to the slow way', (line) => {
    expect(scanned(line)).toBeUndefined();
  });

  it('never finds what the engine reads otherwise', () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', ':', '#', '@', '*', ' ', '"', '\\', '1', 'ä', ','),
      maxLength: 6,
    });
    const name = fc.tuple(piece, piece).map(([type, id]) => `${type}:${id}`);
    fc.assert(
      fc.property(name, piece, name, fc.boolean(), (object, relation, subject, asText) => {
        const line = asText ? `${object}#${relation}@${subject}` : JSON.stringify({ object, relation, subject });
        const found = scanned(line);
        if (found === undefined) return;
        expect(found).toEqual(asText ? parseTuple(line) : { object, relation, subject });
        parseObject(found.object);
        parseSubject(found.subject);
      }),
      { numRuns: 5000 },
    );
  });
});
