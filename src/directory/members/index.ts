import type { Engine } from '#engine';
import type { ListServices, Module } from '../../kernel/modules/index.ts';
import { memberQuery } from './member-list.ts';

export { memberEndpoint } from './member-list.ts';

/** The users in a role or a group; the endpoints are those of roles and groups. */
export const membersModule: Module<unknown, ListServices & { readonly engine: Engine }> = {
  name: 'members',
  queries: ({ lists }) => [memberQuery(lists)],
};
