import { groupRecords, userRecords } from '../../../directory/records/index.ts';
import { PasswordHasher } from '../../../directory/users/index.ts';
import { ProblemError, parseJson } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { Task, TaskHandler } from '../../../kernel/tasks/index.ts';
import type { Background, Limits } from '../../../platform/index.ts';
import { performer } from '../service/perform.ts';
import type { ScimDependencies } from '../service/scim-request.ts';
import type { NamesOf } from './order/conflicts.ts';
import { readBulk } from './read-bulk.ts';
import { runBulk } from './run-bulk.ts';

/** A bulk request, as it came. */
export interface BulkTask extends Task {
  readonly kind: 'scim_bulk';
  readonly body: Uint8Array;
  /** The URL that SCIM's paths of the organization begin with, in the family of the request. */
  readonly base: string;
}

export interface BulkTaskServices {
  readonly people: ScimDependencies;
  readonly limits: Pick<Limits, 'jsonDepth'>;
  readonly background: Background;
}

/** Passwords that wait, of all requests that run: with less, one with passwords would leave others no room for theirs. */
const PASSWORDS_MAX = 1024;

/** Runs bulk requests in the thread of tasks, from the text of their bodies. */
export function bulkTaskHandler({ people: others, limits, background }: BulkTaskServices): TaskHandler<BulkTask> {
  const people: ScimDependencies = { ...others, hasher: new PasswordHasher(PASSWORDS_MAX) };
  return {
    kind: 'scim_bulk',
    // each operation asks for what it needs
    permission: undefined,
    perform({ caller, facts }, { body, base }) {
      const parsed = parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength), { depth: limits.jsonDepth });
      if (!parsed.ok) throw new ProblemError(parsed.problem);
      const request = readBulk(parsed.value);
      return runBulk(
        {
          perform: performer(people, { caller, facts, base }),
          locate: (endpoint, id) => `${base}${endpoint}/${encodeURIComponent(id)}`,
          namesOf: namesIn(people, caller),
          failed: (error) => background.failed('tasks', error, { organization: caller.organization.slug }),
        },
        request,
      );
    },
  };
}

function namesIn({ engine }: ScimDependencies, { organization: { store } }: Caller): NamesOf {
  return (endpoint, id) =>
    engine.read(() => {
      const user = endpoint === '/Users' ? userRecords.get(store, id)?.document : undefined;
      const group = endpoint === '/Groups' ? groupRecords.get(store, id)?.document : undefined;
      return [user?.username, user?.email, group?.displayName].filter((each) => each !== undefined);
    });
}
