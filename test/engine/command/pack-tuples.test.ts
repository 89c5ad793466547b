import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TuplePacker } from '../../../engine/command/pack-tuples.ts';
import { NO_NAME, type PackedTuples, requireWhole } from '../../../engine/command/packed-tuples.ts';
import { parseObject, parseSubject, requireRelation, type Tuple } from '../../../engine/tuple.ts';

function unpack(packed: PackedTuples): Tuple[] {
  requireWhole(packed);
  const bytes = Buffer.from(packed.names);
  const name = (place: number): string =>
    bytes.toString('utf8', place === 0 ? 0 : packed.nameEnds[place - 1], packed.nameEnds[place]);
  const qualifiers = new Map(packed.qualifiers);
  return Array.from(packed.objects, (object, i) => {
    const shape = packed.shapes[packed.shapeOf[i] as number];
    const subject = packed.subjects[i] as number;
    const suffix = shape?.subjectRelation === '' ? '' : `#${shape?.subjectRelation}`;
    return {
      object: name(object),
      relation: shape?.relation ?? '',
      subject: subject === NO_NAME ? `${shape?.subjectType}:*` : `${name(subject)}${suffix}`,
      ...qualifiers.get(i),
    };
  });
}

function isValid(tuple: Tuple): boolean {
  try {
    parseObject(tuple.object);
    requireRelation(tuple.relation);
    parseSubject(tuple.subject);
    return true;
  } catch {
    return false;
  }
}

/** Mostly well-formed, of few shapes, so that shapes that are known meet ids that they must not accept. */
const id = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom('a', '1', ':', '@'), minLength: 1, maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '*',
      '**',
      'a b',
      'a#b',
      '#',
      'ä',
      '\u0000',
      '\u007f',
      '\ud800',
      'x'.repeat(256),
      'x'.repeat(257),
    ),
  },
);
const type = fc.constantFrom('doc', 'user', 'doc', 'user', 'typ\u00e9', 'a*', '');
const relation = fc.constantFrom('viewer', 'viewer', 'member', '', 'a b', '*');
const subject = fc.oneof(
  fc.tuple(type, id).map(([of, name]) => `${of}:${name}`),
  fc.tuple(type, id, relation).map(([of, name, suffix]) => `${of}:${name}#${suffix}`),
  type.map((of) => `${of}:*`),
);
const tuple = fc.record(
  {
    object: fc.tuple(type, id).map(([of, name]) => `${of}:${name}`),
    relation,
    subject,
    expiresAt: fc.nat(),
    condition: fc.record({ name: fc.constant('c'), context: fc.dictionary(fc.constant('k'), fc.nat()) }),
  },
  { requiredKeys: ['object', 'relation', 'subject'] },
);

describe('TuplePacker', () => {
  it('keeps what it accepts, and accepts what is well-formed', () => {
    fc.assert(
      fc.property(fc.array(fc.array(tuple, { maxLength: 60 }), { maxLength: 3 }), (blocks) => {
        const packer = new TuplePacker();
        for (const tuples of blocks as Tuple[][]) {
          const accepted = tuples.filter((each) => {
            try {
              packer.add(each);
              return true;
            } catch {
              return false;
            }
          });
          expect(accepted).toEqual(tuples.filter(isValid));
          expect(packer.count).toBe(accepted.length);
          expect(unpack(packer.take())).toEqual(accepted);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('holds each name once', () => {
    const packer = new TuplePacker();
    for (let i = 0; i < 10_000; i++) {
      packer.add({ object: `doc:${i % 2000}`, relation: 'viewer', subject: `user:${i % 3000}` });
    }
    const packed = packer.take();
    expect(packed.nameEnds).toHaveLength(5000);
    expect(unpack(packed)[4321]).toEqual({ object: 'doc:321', relation: 'viewer', subject: 'user:1321' });
  });

  it('knows more shapes than it looks at one by one', () => {
    const packer = new TuplePacker();
    const tuples = Array.from({ length: 200 }, (_, i) => ({
      object: 'doc:1',
      relation: `r${i % 100}`,
      subject: 'user:1',
    }));
    for (const each of tuples) packer.add(each);
    expect(unpack(packer.take())).toEqual(tuples);
  });
});
