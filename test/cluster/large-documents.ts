import type { JetStreamManager } from '@nats-io/jetstream';
import type { Answer, Organization } from '../server/running-service.ts';

export const largeModel = `model
  schema 1.1
type document
  relations
    define viewer: [user with noted]
condition noted(note: string) {
  note != ""
}
`;

/** One change of some megabytes: a thousand documents, each with a note of so many bytes. */
export function writeLarge(at: Organization, name: string, noteBytes: number): Promise<Answer> {
  return writeNoted(at, name, 1000, noteBytes);
}

/** The same of so many documents. */
export function writeNoted(at: Organization, name: string, documents: number, noteBytes: number): Promise<Answer> {
  const writes = Array.from({ length: documents }, (_, n) => ({
    object: `document:${name}-${n}`,
    relation: 'viewer',
    subject: 'user:anne',
    condition: { name: 'noted', context: { note: `${n}`.padEnd(noteBytes, '.') } },
  }));
  return at.post('/zanzibar/tuples', { writes });
}

/** Whether all of it is there, by its last document. */
export async function isThere(at: Organization, name: string, consistency?: unknown): Promise<boolean> {
  const question = { object: `document:${name}-999`, relation: 'viewer', subject: 'user:anne', consistency };
  return (await at.post('/zanzibar/check', question)).at('allowed') === true;
}

/** The full name of a side stream, which has the log's identity. */
export async function nameOfStream(manager: JetStreamManager, number: number): Promise<string> {
  for await (const name of manager.streams.names()) {
    if (name.startsWith('relata-') && name.endsWith(`-${number}`)) return name;
  }
  throw new Error(`there is no stream ${number}`);
}
