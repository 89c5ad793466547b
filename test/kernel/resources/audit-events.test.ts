import { expect, it } from 'vitest';
import { auditEventOf } from '../../../src/kernel/resources/resource-service.ts';

const entry = { id: 'n1', version: 1, document: { text: 'first' } };
const note = {
  name: 'note',
  audited: ({ document }: typeof entry) => ({ metadata: { text: document.text } }),
  auditTypes: { create: 'note.created' },
};

it.each([
  { name: 'the type that its verb has', resource: note, verb: 'create', eventType: 'note.created' },
  { name: 'the general one for another verb', resource: note, verb: 'delete', eventType: 'admin.action' },
  {
    name: 'the general one where the resource names none',
    resource: { name: note.name, audited: note.audited },
    verb: 'create',
    eventType: 'admin.action',
  },
])('what is done to a resource is on record under $name', ({ resource, verb, eventType }) => {
  expect(auditEventOf(resource, verb, entry)).toEqual({
    eventType,
    action: `note.${verb}`,
    targetId: 'n1',
    targetType: 'note',
    metadata: { text: 'first' },
  });
});

it('what it is about can have another id, and details join its own', () => {
  const resource = { ...note, audited: () => ({ targetId: 'slug', metadata: { a: 1, b: 1 } }) };
  expect(auditEventOf(resource, 'update', entry, { b: 2 })).toMatchObject({
    targetId: 'slug',
    metadata: { a: 1, b: 2 },
  });
});
