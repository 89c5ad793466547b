import { inParallel, post } from '../post.ts';
import { blocksOf, type Peer } from './peer.ts';

/** The most that SpiceDB takes in one write by default. */
const TUPLES_PER_WRITE = 1_000;
const WRITES_AT_ONCE = 8;

interface ObjectReference {
  readonly objectType: string;
  readonly objectId: string;
}

/**
 * A client of the HTTP gateway of a SpiceDB server (https://authzed.com/docs/spicedb/api/http-api): the schema, the
 * relationships, then checks at the freshness that its caches can answer, as Relata's default is. `token` is the
 * preshared key.
 */
export function spiceDb(url: string, token: string | undefined): Peer {
  const base = url.replace(/\/$/, '');
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send = (path: string, body: unknown): Promise<unknown> => post(`${base}${path}`, headers, JSON.stringify(body));
  return {
    name: 'spicedb',
    headers,
    async load(data) {
      if (data.spicedbSchema === undefined) throw new Error(`${data.name} has no SpiceDB schema`);
      await send('/v1/schema/write', { schema: data.spicedbSchema });
      await inParallel(blocksOf(data, TUPLES_PER_WRITE), WRITES_AT_ONCE, async (block) => {
        const updates = block.map(({ object, relation, subject }) => ({
          operation: 'OPERATION_TOUCH',
          relationship: { resource: reference(object), relation, subject: subjectOf(subject) },
        }));
        await send('/v1/relationships/write', { updates });
      });
    },
    checkUrl: () => `${base}/v1/permissions/check`,
    checkBody: ({ object, relation, subject }) =>
      JSON.stringify({
        consistency: { minimizeLatency: true },
        resource: reference(object),
        permission: relation,
        subject: subjectOf(subject),
      }),
    isAllowed: (reply) => (reply as { permissionship?: string }).permissionship === 'PERMISSIONSHIP_HAS_PERMISSION',
  };
}

function reference(object: string): ObjectReference {
  const colon = object.indexOf(':');
  return { objectType: object.slice(0, colon), objectId: object.slice(colon + 1) };
}

function subjectOf(subject: string): { readonly object: ObjectReference; readonly optionalRelation?: string } {
  const hash = subject.indexOf('#');
  if (hash < 0) return { object: reference(subject) };
  return { object: reference(subject.slice(0, hash)), optionalRelation: subject.slice(hash + 1) };
}
