import { AsyncLocalStorage } from 'node:async_hooks';
import type { Command, Engine } from '../../../engine/index.ts';
import { emittingOperations, operationOf, silentReasonOf } from '../../../src/delivery/catalog/index.ts';
import type { Endpoint } from '../../../src/http/index.ts';
import { eventRecords } from '../../../src/kernel/events/index.ts';

type Operation = ReturnType<typeof operationOf>;
type AnyEndpoint = Pick<Endpoint, 'method' | 'path'> & { handler: (call: never) => unknown };

const table: Readonly<Partial<Record<Operation, readonly string[]>>> = emittingOperations;

interface Request {
  readonly operation: Operation;
  /** What it has set going may commit later, for others. */
  isOpen: boolean;
}

/** Which operations cause which events, as they are seen where commands are submitted. */
export class OperationLedger {
  readonly #requests = new AsyncLocalStorage<Request>();
  readonly #caused = new Map<Operation, Set<string>>();

  constructor(endpoints: readonly Pick<Endpoint, 'method' | 'path' | 'handler'>[], engine: Engine) {
    for (const endpoint of endpoints) this.#watch(endpoint as unknown as AnyEndpoint);
    const { submit } = engine;
    engine.submit = (command) => {
      this.#note(command);
      return submit.call(engine, command);
    };
  }

  /** @throws where an operation has caused what the table of operations does not say */
  check(): void {
    for (const [operation, types] of this.#caused) {
      const row = table[operation];
      // what tests add to the service is in no table
      if (row === undefined && silentReasonOf(operation) === undefined) continue;
      const strange = [...types].filter((type) => row?.includes(type) !== true);
      if (strange.length > 0) throw new Error(`${operation} is not known to cause ${strange.join(', ')}`);
    }
  }

  #watch(endpoint: AnyEndpoint): void {
    const { handler } = endpoint;
    const operation = operationOf(endpoint);
    endpoint.handler = (call) => {
      const request: Request = { operation, isOpen: true };
      const close = () => {
        request.isOpen = false;
      };
      const answer = this.#requests.run(request, () => handler(call));
      if (answer instanceof Promise) void answer.then(close, close);
      else close();
      return answer;
    };
  }

  #note({ changes }: Command): void {
    const request = this.#requests.getStore();
    if (request?.isOpen !== true) return;
    for (const change of changes) {
      if (change.op !== 'append_record' || change.collection !== eventRecords.collection) continue;
      const { type } = change.document as { readonly type: string };
      const types = this.#caused.get(request.operation) ?? new Set();
      this.#caused.set(request.operation, types.add(type));
    }
  }
}
