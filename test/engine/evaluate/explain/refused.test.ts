import { parseTuple } from '../../../../engine/index.ts';
import { type DrawnCase, describeCases, inOffice, NOW } from './drawn-cases.ts';

const refusals: readonly DrawnCase[] = [
  {
    name: 'nothing to try',
    question: 'doc:1#banned@user:ann',
    tuples: [],
    expect: ['doc:1#banned@user:ann denied by none'],
  },
  {
    name: 'every branch of a denial',
    question: 'doc:1#viewer@user:ann',
    tuples: ['doc:1#parent@folder:1', 'doc:1#viewer@team:a#member', 'team:a#member@user:bob'],
    expect: [
      'doc:1#viewer@user:ann denied by union',
      '  doc:1#viewer@user:ann denied by computed',
      '    doc:1#editor@user:ann denied by none',
      '  doc:1#viewer@user:ann denied by from doc:1#parent@folder:1',
      '    folder:1#viewer@user:ann denied by none',
      '  doc:1#viewer@user:ann denied by userset doc:1#viewer@team:a#member',
      '    team:a#member@user:ann denied by none',
    ],
  },
  {
    name: 'a tuple that has expired, and one whose condition does not hold',
    question: 'folder:1#viewer@user:ann',
    tuples: [
      { ...parseTuple('folder:1#viewer@user:ann'), condition: inOffice(1) },
      { ...parseTuple('folder:1#viewer@user:*'), expiresAt: NOW },
      { ...parseTuple('folder:1#viewer@team:a#member'), condition: inOffice(2) },
      'team:a#member@user:ann',
    ],
    expect: [
      'folder:1#viewer@user:ann denied by union',
      '  folder:1#viewer@user:ann denied by tuple folder:1#viewer@user:ann (in_office false)',
      '  folder:1#viewer@user:ann denied by wildcard folder:1#viewer@user:*',
      '  folder:1#viewer@user:ann denied by userset folder:1#viewer@team:a#member (in_office false)',
    ],
  },
  {
    name: 'who is banned, and why',
    question: 'doc:1#reader@user:ann',
    tuples: ['doc:1#viewer@user:ann', 'doc:1#banned@team:a#member', 'team:a#member@user:ann'],
    expect: [
      'doc:1#reader@user:ann denied by exclusion',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#banned@user:ann allowed by userset doc:1#banned@team:a#member',
      '      team:a#member@user:ann allowed by tuple team:a#member@user:ann',
    ],
  },
  {
    name: 'the operand of an intersection that does not hold',
    question: 'doc:1#both@user:ann',
    tuples: ['doc:1#viewer@user:ann'],
    expect: [
      'doc:1#both@user:ann denied by intersection',
      '  doc:1#both@user:ann denied by computed',
      '    doc:1#editor@user:ann denied by none',
    ],
  },
  {
    name: 'the condition that misses context, and no other branch',
    question: 'doc:1#reader@user:ann',
    tuples: [
      { ...parseTuple('doc:1#viewer@team:a#member'), condition: inOffice() },
      'team:a#member@user:ann',
      'doc:1#viewer@team:b#member',
    ],
    expect: [
      'doc:1#reader@user:ann conditional by exclusion',
      '  doc:1#reader@user:ann conditional by computed',
      '    doc:1#viewer@user:ann conditional by userset doc:1#viewer@team:a#member (in_office missing)',
      '      team:a#member@user:ann allowed by tuple team:a#member@user:ann',
    ],
  },
  {
    name: 'a condition between the object and its parent',
    question: 'doc:1#viewer@user:ann',
    tuples: [{ ...parseTuple('doc:1#parent@folder:1'), condition: inOffice() }, 'folder:1#viewer@user:ann'],
    expect: [
      'doc:1#viewer@user:ann conditional by from doc:1#parent@folder:1 (in_office missing)',
      '  folder:1#viewer@user:ann allowed by tuple folder:1#viewer@user:ann',
    ],
  },
  {
    name: 'a relation that depends on its own negation',
    question: 'loop:1#ok@user:ann',
    tuples: ['loop:1#ok@user:ann', 'loop:1#banned@loop:1#ok'],
    expect: [
      'loop:1#ok@user:ann cycle by exclusion',
      '  loop:1#ok@user:ann allowed by tuple loop:1#ok@user:ann',
      '  loop:1#ok@user:ann cycle by computed',
      '    loop:1#banned@user:ann cycle by userset loop:1#banned@loop:1#ok',
      '      loop:1#ok@user:ann cycle by none',
    ],
  },
  {
    name: 'a cycle that adds nothing',
    question: 'loop:1#a@user:ann',
    tuples: ['loop:1#a@loop:2#b', 'loop:2#b@loop:1#a', 'loop:2#b@loop:3#a'],
    expect: [
      'loop:1#a@user:ann denied by userset loop:1#a@loop:2#b',
      '  loop:2#b@user:ann denied by union',
      '    loop:2#b@user:ann denied by userset loop:2#b@loop:1#a',
      '      loop:1#a@user:ann denied by none',
      '    loop:2#b@user:ann denied by userset loop:2#b@loop:3#a',
      '      loop:3#a@user:ann denied by none',
    ],
  },
];

describeCases('a refusal', refusals);
