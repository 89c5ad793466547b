import { isDeepStrictEqual } from 'node:util';
import { nodeReader, type ReadRequest, socketReader } from './readers.ts';
import { fieldNames, RequestMutator, type Segments } from './request-mutator.ts';

/** How many connections are read at once. */
const ROUND = 500;
const DIFFERENCES_MAX = 20;

export interface Comparison {
  /** Mutated requests that were sent to both. */
  readonly connections: number;
  /** Requests that the transport has taken. */
  readonly taken: number;
  /** Connections of which it has taken no request. */
  readonly refused: number;
  /** What it has taken, and `node:http` has not, or has understood otherwise. */
  readonly differences: readonly string[];
}

/**
 * Sends the same mutated requests to the transport over sockets and to `node:http`. Whatever the transport takes for a
 * request must be one to `node:http` too, at the same place and the same in all its parts.
 * @param isOver asked after each round with the number of connections so far
 */
export async function compareReaders(seed: number, isOver: (connections: number) => boolean): Promise<Comparison> {
  const mutator = new RequestMutator(seed);
  const [ours, theirs] = [socketReader(), nodeReader()];
  const found = { connections: 0, taken: 0, refused: 0, differences: [] as string[] };
  while (!isOver(found.connections) && found.differences.length < DIFFERENCES_MAX) {
    const round = Array.from({ length: ROUND }, () => mutator.next());
    const read = await ours.read(round, fieldNames);
    const expected = await theirs.read(round, fieldNames);
    for (const [place, segments] of round.entries()) {
      const requests = read[place] ?? [];
      found.connections++;
      found.taken += requests.length;
      if (requests.length === 0) found.refused++;
      const difference = differenceOf(requests, expected[place] ?? []);
      if (difference !== undefined) found.differences.push(`${shown(segments)}: ${difference}`);
    }
  }
  await ours.close();
  await theirs.close();
  return found;
}

function differenceOf(ours: readonly ReadRequest[], theirs: readonly ReadRequest[]): string | undefined {
  for (const [place, request] of ours.entries()) {
    const other = theirs[place];
    if (!isDeepStrictEqual(request, other)) {
      return `request ${place} is ${inShort(request)}, and to node:http ${inShort(other)}`;
    }
  }
  return undefined;
}

/** Without the fields that are absent. */
function inShort(request: ReadRequest | undefined): string {
  if (request === undefined) return 'none';
  const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => value !== ''));
  return JSON.stringify({ ...request, fields });
}

function shown(segments: Segments): string {
  return segments.map((segment) => JSON.stringify(segment.toString('latin1'))).join(' + ');
}
