import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { Service } from './running-service.ts';

/**
 * The service of the whole run, for tests that ask nothing of it but an organization of their own, by a name that no
 * other test takes. It does not count refusals by address, since all tests have the same one.
 */
export async function sharedService(): Promise<Service> {
  const answer = JSON.parse(await text(connect(inject('sharedServicePort'), '127.0.0.1')));
  if ('failure' in answer) throw new Error(answer.failure);
  return new Service(answer);
}
