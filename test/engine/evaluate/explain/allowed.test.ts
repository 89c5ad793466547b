import { parseTuple } from '../../../../engine/index.ts';
import { type DrawnCase, describeCases, inOffice } from './drawn-cases.ts';

const proofs: readonly DrawnCase[] = [
  {
    name: 'a tuple',
    question: 'doc:1#viewer@user:ann',
    tuples: ['doc:1#viewer@user:ann'],
    expect: ['doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann'],
  },
  {
    name: 'a wildcard',
    question: 'folder:1#viewer@user:ann',
    tuples: ['folder:1#viewer@user:*'],
    expect: ['folder:1#viewer@user:ann allowed by wildcard folder:1#viewer@user:*'],
  },
  {
    name: 'the userset itself',
    question: 'doc:1#viewer@doc:1#viewer',
    tuples: [],
    expect: ['doc:1#viewer@doc:1#viewer allowed by self'],
  },
  {
    name: 'a userset that a tuple names',
    question: 'doc:1#viewer@team:a#member',
    tuples: ['doc:1#viewer@team:a#member'],
    expect: ['doc:1#viewer@team:a#member allowed by tuple doc:1#viewer@team:a#member'],
  },
  {
    name: 'nested teams, past those without the subject',
    question: 'doc:1#viewer@user:ann',
    tuples: [
      'doc:1#viewer@team:x#member',
      'doc:1#viewer@team:a#member',
      'team:a#member@team:b#member',
      'team:b#member@user:ann',
    ],
    expect: [
      'doc:1#viewer@user:ann allowed by userset doc:1#viewer@team:a#member',
      '  team:a#member@user:ann allowed by userset team:a#member@team:b#member',
      '    team:b#member@user:ann allowed by tuple team:b#member@user:ann',
    ],
  },
  {
    name: 'a computed relation and a parent',
    question: 'doc:1#reader@user:ann',
    tuples: ['doc:1#parent@folder:1', 'folder:1#parent@folder:2', 'folder:2#viewer@user:ann'],
    expect: [
      'doc:1#reader@user:ann allowed by exclusion',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by from doc:1#parent@folder:1',
      '      folder:1#viewer@user:ann allowed by from folder:1#parent@folder:2',
      '        folder:2#viewer@user:ann allowed by tuple folder:2#viewer@user:ann',
      '  doc:1#reader@user:ann denied by computed',
      '    doc:1#banned@user:ann denied by none',
    ],
  },
  {
    name: 'both sides of an intersection',
    question: 'doc:1#both@user:ann',
    tuples: ['doc:1#editor@user:ann'],
    expect: [
      'doc:1#both@user:ann allowed by intersection',
      '  doc:1#both@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by computed',
      '      doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
      '  doc:1#both@user:ann allowed by computed',
      '    doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
    ],
  },
  {
    name: 'the operand of a union that holds',
    question: 'doc:1#mixed@user:ann',
    tuples: ['doc:1#mixed@user:ann', 'doc:1#viewer@user:ann'],
    expect: [
      'doc:1#mixed@user:ann allowed by exclusion',
      '  doc:1#mixed@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann',
      '  doc:1#mixed@user:ann denied by computed',
      '    doc:1#banned@user:ann denied by none',
    ],
  },
  {
    name: 'a condition that holds',
    question: 'doc:1#viewer@user:ann',
    tuples: [{ ...parseTuple('doc:1#viewer@user:ann'), condition: inOffice(3) }],
    expect: ['doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann (in_office true)'],
  },
];

describeCases('a proof', proofs);
