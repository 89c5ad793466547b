import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import type { Caller, FamilyBase } from '../../kernel/organizations/index.ts';
import { decisionErrors } from '../decisions/index.ts';
import { ask } from './ask.ts';
import { askBody, askResult } from './ask-body.ts';
import type { AskDependencies } from './dependencies.ts';

const endpoint = endpointFor<Caller>();

/** `POST /agents/ask`. */
export function askEndpoint(dependencies: AskDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/agents/ask`,
    summary: 'Ask in plain words whether something is allowed',
    description:
      'The words are mapped to a permission or relation of the organization; the engine decides as for `/authz/check` and ' +
      '`/zanzibar/check`. `allowed` is about the action, also where the question is a negative one.',
    tags: ['Questions'],
    access: 'authenticated',
    body: askBody,
    responses: { 200: askResult },
    errors: decisionErrors,
    handler: async ({ caller, body }) => json(200, await ask(dependencies, caller, body)),
  });
}
