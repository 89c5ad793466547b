import type { BulkOperation, Performed } from '../../../../src/protocols/scim/bulk/bulk-operation.ts';
import type { BulkResponse } from '../../../../src/protocols/scim/bulk/bulk-result.ts';
import { readBulk } from '../../../../src/protocols/scim/bulk/read-bulk.ts';
import { runBulk } from '../../../../src/protocols/scim/bulk/run-bulk.ts';

export const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const base = 'https://example.com/scim/v2';

/** A user's or a group's attributes. */
type Attributes = Record<string, unknown>;

/** A service provider in memory: names are unique, what is not there cannot be changed, and each operation takes its time. */
export class FakeProvider {
  readonly resources = new Map<string, Attributes>();
  /** What was performed, as `POST /Users anne`: when it began. */
  readonly begun: string[] = [];
  readonly performed: BulkOperation[] = [];
  readonly failures: unknown[] = [];
  runningMost = 0;
  #running = 0;
  #next = 0;
  /** Turns of the event loop that an operation takes. */
  readonly #turns: (operation: BulkOperation) => number;

  constructor(turns: (operation: BulkOperation) => number = () => 1) {
    this.#turns = turns;
  }

  add(id: string, attributes: Attributes): void {
    this.resources.set(id, attributes);
  }

  /** @param more attributes of the request */
  bulk(operations: readonly unknown[], more: object = {}, window?: number): Promise<BulkResponse> {
    const request = readBulk({ schemas: [bulkRequest], Operations: operations, ...more });
    return runBulk(
      {
        perform: (operation) => this.#perform(operation),
        locate: (endpoint, id) => `${base}${endpoint}/${id}`,
        namesOf: (_, id) => [String(this.resources.get(id)?.userName ?? '')],
        failed: (error) => this.failures.push(error),
        ...(window === undefined ? {} : { window }),
      },
      request,
    );
  }

  async #perform(operation: BulkOperation): Promise<Performed> {
    this.begun.push(`${operation.method} ${operation.path} ${operation.bulkId ?? ''}`.trim());
    this.performed.push(operation);
    this.runningMost = Math.max(this.runningMost, ++this.#running);
    const turns = this.#turns(operation);
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    this.#running--;
    return this.#answer(operation);
  }

  #answer({ method, id = '', endpoint, data, version }: BulkOperation): Performed {
    const attributes = (data ?? {}) as Attributes;
    if (attributes.throws !== undefined) throw attributes.throws;
    if (method === 'POST') return this.#put(`id-${this.#next++}`, endpoint, attributes, 201);
    if (!this.resources.has(id)) return failed(404, 'There is no such resource.');
    if (version !== undefined && version !== 'W/"1"') return failed(412, 'It has another version.');
    if (method !== 'DELETE') return this.#put(id, endpoint, { ...this.resources.get(id), ...attributes }, 200);
    this.resources.delete(id);
    return { status: 204 };
  }

  #put(id: string, endpoint: string, attributes: Attributes, status: number): Performed {
    const name = String(attributes.userName ?? '').toLowerCase();
    for (const [other, { userName }] of this.resources) {
      if (other !== id && name !== '' && String(userName ?? '').toLowerCase() === name) return failed(409, 'Taken.');
    }
    this.resources.set(id, attributes);
    return { status, id, version: 'W/"1"', location: `${base}${endpoint}/${id}` };
  }
}

function failed(status: number, detail: string): Performed {
  return { status, response: { schemas: [], status: String(status), detail } };
}

export const post = (bulkId: string, data: object = {}, path = '/Users') => ({ method: 'POST', path, bulkId, data });
export const patch = (path: string, data: object = {}) => ({ method: 'PATCH', path, data });

/** What became of each operation, in short. */
export function statuses({ Operations }: BulkResponse): string[] {
  return Operations.map(({ status }) => status);
}

/** The error of an operation. */
export function errorOf({ Operations }: BulkResponse, place: number): { scimType?: string; detail?: string } {
  return (Operations[place]?.response ?? {}) as object;
}
