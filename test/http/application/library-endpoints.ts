import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  bytes,
  type Endpoint,
  endpointFor,
  eventStream,
  type Guard,
  json,
  jsonText,
  noContent,
  ProblemError,
  page,
  problem,
  queryInteger,
  redirect,
  UnreadChunks,
  unauthenticated,
} from '../../../src/http/index.ts';
import { Background, silentLog } from '../../../src/platform/index.ts';

export interface Reader {
  readonly name: string;
}

const endpoint = endpointFor<Reader>();
const background = new Background({ log: silentLog });

export const bookBody = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'As printed.', examples: ['Middlemarch'] }),
  pages: z.int().min(1).optional(),
});

type Book = z.infer<typeof bookBody>;

export const book = z
  .strictObject({ id: z.string(), title: z.string(), shelf: z.string() })
  .meta({ id: 'Book', description: 'A book of the library.' });

/** Sure about the common body alone: a title and nothing else. */
function fastBook(value: unknown): Book | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name in value) if (name !== 'title') return undefined;
  const { title } = value as { title?: unknown };
  return typeof title === 'string' && title.length > 0 && title.length <= 100 ? { title } : undefined;
}

/** Endpoints of a library of books: each shows one ability. */
export function libraryEndpoints(): Endpoint[] {
  const base = '/libraries/{library}/books' as const;
  const tags = ['Books'];
  return [
    endpoint({
      method: 'GET',
      path: base,
      summary: 'List books',
      tags,
      access: 'authenticated',
      query: z.object({ limit: queryInteger({ min: 1, max: 10, default: 2 }), shelf: z.string().optional() }),
      responses: { 200: z.strictObject({ books: z.array(book), limit: z.int() }) },
      handler: ({ params, query }) =>
        json(200, { books: [{ id: '1', title: params.library, shelf: query.shelf ?? 'none' }], limit: query.limit }),
    }),
    endpoint({
      method: 'POST',
      path: base,
      summary: 'Add a book',
      description: 'Puts it on the shelf.\n\nA second `title` is refused.',
      tags,
      access: { permission: 'books:write' },
      body: bookBody,
      bodyMax: 2_000,
      fast: fastBook,
      errors: ['conflict'],
      responses: { 201: { description: 'It was added.', schema: book, headers: { location: 'Where it is.' } } },
      handler: async ({ params, body, caller }) => {
        await sleep(1);
        if (body.title === 'taken') return problem('conflict', 'The title is taken.');
        const added = { id: '2', title: body.title, shelf: caller.name };
        return json(201, added, { location: `/libraries/${encodeURIComponent(params.library)}/books/2` });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/libraries/{library}/books/{bookId}',
      summary: 'Remove a book',
      tags,
      access: { permission: 'books:write' },
      params: z.object({ library: z.string(), bookId: z.string().regex(/^\d+$/).transform(Number) }),
      errors: ['not_found'],
      responses: { 204: { description: 'It is gone.' } },
      handler: ({ params }) => (params.bookId === 404 ? problem('not_found') : noContent()),
    }),
    endpoint({
      method: 'POST',
      path: '/token',
      summary: 'A form',
      tags: ['Protocol'],
      access: 'public',
      cors: true,
      bodyForm: 'form',
      body: z.object({ grant: z.string(), resource: z.union([z.string(), z.array(z.string())]).optional() }),
      responses: { 200: z.strictObject({ grant: z.string(), client: z.string() }) },
      handler: (call) => json(200, { grant: call.body.grant, client: call.clientAddress() }),
    }),
    endpoint({
      method: 'PUT',
      path: '/raw',
      summary: 'Bytes',
      tags: ['Protocol'],
      access: 'authenticated',
      bodyForm: 'bytes',
      accepts: ['application/octet-stream'],
      body: z.instanceof(Buffer),
      responses: { 200: z.strictObject({ size: z.int(), first: z.int() }) },
      handler: async ({ body }) => {
        await sleep(5);
        return json(200, { size: body.length, first: body[0] ?? -1 });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/touch',
      summary: 'A body that may be missing',
      tags: ['Protocol'],
      access: 'authenticated',
      bodyOptional: true,
      body: z.strictObject({ force: z.boolean().optional() }).default({}),
      deprecated: { since: new Date('2026-01-01T00:00:00Z'), sunset: new Date('2027-01-01T00:00:00Z') },
      responses: { 200: z.strictObject({ force: z.boolean() }) },
      handler: ({ body }) => json(200, { force: body.force ?? false }),
    }),
    ...faultyEndpoints(),
    endpoint({
      method: 'GET',
      path: '/events',
      summary: 'Events',
      tags: ['Protocol'],
      access: 'public',
      responses: { 200: { description: 'A stream.', contentType: 'text/event-stream' } },
      handler: () =>
        eventStream(
          async function* (signal) {
            yield { id: '1', event: 'change', data: { text: 'a\nb' } };
            yield { data: 2 };
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          },
          { heartbeatMs: 100, unread: new UnreadChunks({ stallMs: 60_000, bytesMax: 1e6 }, background) },
        ),
    }),
    endpoint({
      method: 'GET',
      path: '/page',
      summary: 'A page',
      tags: ['Protocol'],
      access: 'public',
      responses: { 200: { description: 'HTML', contentType: 'text/html' }, 302: { description: 'Elsewhere' } },
      handler: (call) => (call.header('x-go') === '' ? page('<p>hi') : redirect(302, call.header('x-go'))),
    }),
    endpoint({
      method: 'GET',
      path: '/file',
      summary: 'Bytes',
      tags: ['Protocol'],
      access: 'public',
      responses: { 200: { description: 'Bytes', contentType: 'image/png' } },
      handler: () => bytes(200, 'image/png', Buffer.from([1, 2, 3])),
    }),
  ];
}

/** Handlers that go wrong. */
function faultyEndpoints(): Endpoint[] {
  const faults: Record<string, () => ReturnType<Endpoint['handler']>> = {
    throws: () => {
      throw new Error('password=hunter2 at line 7');
    },
    rejects: () => Promise.reject(new Error('password=hunter2 at line 8')),
    problem: () => {
      throw new ProblemError(problem('refused', 'The rule says no.'));
    },
    header: () => noContent({ location: 'a\r\nset-cookie: b=c' }),
    mismatch: () => jsonText(200, '{"allowed":"yes"}'),
    undeclared: () => problem('revision_compacted'),
  };
  return Object.entries(faults).map(([name, handler]) =>
    endpoint({
      method: 'GET',
      path: `/faults/${name}`,
      summary: name,
      tags: ['Faults'],
      access: 'public',
      errors: ['refused'],
      responses: { 200: z.strictObject({ allowed: z.boolean() }) },
      handler: handler as () => ReturnType<typeof problem>,
    }),
  );
}

/**
 * Readers by their key: `anne` may write, `bob` may not, `late` is looked up asynchronously and may write after a
 * moment's thought.
 */
export const libraryGuard: Guard<Reader> = {
  authenticate(visit) {
    const key = visit.header('authorization').replace('Bearer ', '');
    if (key === '') return unauthenticated();
    if (key === 'late') return sleep(5).then(() => ({ name: key }));
    return key === 'anne' || key === 'bob' ? { name: key } : unauthenticated('The key is not known.', 'invalid_token');
  },
  authorize(caller, access, visit) {
    if (visit.params.library === 'hidden') return problem('not_found');
    const denied = typeof access === 'object' && caller.name === 'bob' ? problem('forbidden') : undefined;
    return caller.name === 'late' ? sleep(5).then(() => denied) : denied;
  },
};
