import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, Tuple } from '#engine';
import { Drive } from '../../bench/data/drive/drive.ts';
import { openFga } from '../../bench/http/peers/openfga.ts';
import type { Peer } from '../../bench/http/peers/peer.ts';
import { peersOf } from '../../bench/http/peers/peers.ts';
import { spiceDb } from '../../bench/http/peers/spicedb.ts';
import { inParallel, post } from '../../bench/http/post.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

interface Call {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

interface ObjectReference {
  readonly objectType: string;
  readonly objectId: string;
}

interface SpiceSubject {
  readonly object: ObjectReference;
  readonly optionalRelation?: string;
}

const drive = new Drive(2_000);
const asText = ({ objectType, objectId }: ObjectReference): string => `${objectType}:${objectId}`;
const subjectText = ({ object, optionalRelation }: SpiceSubject): string =>
  optionalRelation === undefined ? asText(object) : `${asText(object)}#${optionalRelation}`;

/** Speaks as much of a peer's protocol as the benchmark does, and answers with this engine. */
type Speak = (store: Store, call: Call) => Promise<{ status: number; body: unknown }>;

const speakOpenFga: Speak = async (store, { path, body }) => {
  if (path === '/stores') return { status: 201, body: { id: 'S1', name: body.name } };
  if (path === '/stores/S1/authorization-models') {
    const types = (body.type_definitions as { type: string }[]).map(({ type }) => type);
    if (body.schema_version !== '1.1' || !types.includes('document')) return { status: 400, body: { code: 'model' } };
    return { status: 201, body: { authorization_model_id: 'M1' } };
  }
  if (body.authorization_model_id !== 'M1') return { status: 400, body: { code: 'model id' } };
  if (path === '/stores/S1/write') {
    const keys = (body.writes as { tuple_keys: { user: string; relation: string; object: string }[] }).tuple_keys;
    if (keys.length > 100) return { status: 400, body: { code: 'exceeded_entity_limit' } };
    await store.write({ writes: keys.map(({ user, relation, object }) => ({ object, relation, subject: user })) });
    return { status: 200, body: {} };
  }
  if (path !== '/stores/S1/check') return { status: 404, body: {} };
  const { user, relation, object } = body.tuple_key as { user: string; relation: string; object: string };
  return { status: 200, body: { allowed: store.check({ object, relation, subject: user }).outcome === 'allowed' } };
};

const speakSpiceDb: Speak = async (store, { path, body }) => {
  if (path === '/v1/schema/write') {
    return { status: String(body.schema).includes('definition document') ? 200 : 400, body: {} };
  }
  if (path === '/v1/relationships/write') {
    const updates = body.updates as {
      operation: string;
      relationship: { resource: ObjectReference; relation: string; subject: SpiceSubject };
    }[];
    if (updates.length > 1_000 || updates.some(({ operation }) => operation !== 'OPERATION_TOUCH')) {
      return { status: 400, body: {} };
    }
    const writes: Tuple[] = updates.map(({ relationship: { resource, relation, subject } }) => ({
      object: asText(resource),
      relation,
      subject: subjectText(subject),
    }));
    await store.write({ writes });
    return { status: 200, body: { writtenAt: { token: 'T1' } } };
  }
  if (path !== '/v1/permissions/check') return { status: 404, body: {} };
  const { outcome } = store.check({
    object: asText(body.resource as ObjectReference),
    relation: body.permission as string,
    subject: subjectText(body.subject as SpiceSubject),
  });
  const permissionship = outcome === 'allowed' ? 'PERMISSIONSHIP_HAS_PERMISSION' : 'PERMISSIONSHIP_NO_PERMISSION';
  return { status: 200, body: { checkedAt: { token: 'T1' }, permissionship } };
};

const peers: readonly { name: string; speak: Speak; client: (url: string, token: string | undefined) => Peer }[] = [
  { name: 'openfga', speak: speakOpenFga, client: openFga },
  { name: 'spicedb', speak: speakSpiceDb, client: spiceDb },
];

describe.each(peers)('the client of $name', ({ name, speak, client }) => {
  let scratch: ScratchEngine;
  let server: Server;
  let url: string;
  let calls: Call[];

  beforeEach(async () => {
    scratch = await ScratchEngine.open();
    const store = await scratch.engine.createStore('peer');
    await store.writeModel({ dsl: drive.dsl });
    calls = [];
    server = createServer(async (request, response) => {
      const call = await readCall(request);
      calls.push(call);
      const { status, body } = await speak(store, call);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await scratch.close();
  });

  it('writes the same model and tuples, and gets the same answers', async () => {
    const peer = client(`${url}/`, 'secret');
    await peer.load(drive);
    expect(scratch.engine.store('peer').stats().tuples).toBeGreaterThan(1_900);
    const { requests, expected } = drive.nested(200);
    const allowed: boolean[] = [];
    await inParallel(requests.entries(), 4, async ([place, request]) => {
      allowed[place] = peer.isAllowed(await post(peer.checkUrl(), peer.headers, peer.checkBody(request)));
    });
    expect(allowed).toEqual([...expected].map((each) => each === 1));
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']));
  });

  it('sends no credential where it was given none', async () => {
    await client(url, undefined).load(drive);
    expect(calls.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('says what the server refused', async () => {
    const broken = new Drive(2_000);
    const refused = client(`${url}/elsewhere`, undefined).load(broken);
    await expect(refused).rejects.toThrow(/answered 40[04]/);
    expect(name).toBe(client(url, undefined).name);
  });
});

describe('peersOf', () => {
  const cases = [
    { name: 'nothing', given: {}, expect: [] },
    { name: 'an empty variable', given: { OPENFGA_URL: '' }, expect: [] },
    { name: 'one', given: { SPICEDB_URL: 'http://127.0.0.1:1' }, expect: ['spicedb'] },
    {
      name: 'both',
      given: { OPENFGA_URL: 'http://127.0.0.1:1', SPICEDB_URL: 'http://127.0.0.1:2' },
      expect: ['openfga', 'spicedb'],
    },
  ];
  it.each(cases)('finds $name', ({ given, expect: expected }) => {
    expect(peersOf(given).map(({ name }) => name)).toEqual(expected);
  });
});

async function readCall(request: IncomingMessage): Promise<Call> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const body = JSON.parse(text) as Record<string, unknown>;
  return { path: request.url ?? '', authorization: request.headers.authorization, body };
}
