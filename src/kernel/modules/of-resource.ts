import type { Endpoint } from '../../http/index.ts';
import type { Family, RecordLists } from '../lists/index.ts';
import { type FamilyBase, inBothFamilies } from '../organizations/index.ts';
import {
  type Resource,
  type ResourceEndpointDependencies,
  resourceEndpoints,
  resourceQuery,
} from '../resources/index.ts';
import type { AdminDependencies } from '../transactions/index.ts';
import type { Module } from './module.ts';

/** What the lists of records are made with, in a thread of the query pool. */
export interface ListServices {
  readonly lists: RecordLists;
}

/** More endpoints of a resource, in one family. */
type Others<Services> = (services: Services, base: FamilyBase, family: Family) => readonly Endpoint[];

/** The part of a module that comes from its resource: the endpoints in both families, and the pages of its list. */
export function ofResource<Document extends object, New, Changes, Dependencies extends AdminDependencies>(
  resource: Resource<Document, New, Changes, Dependencies>,
  others: Others<ResourceEndpointDependencies & Dependencies> = () => [],
): Required<Pick<Module<ResourceEndpointDependencies & Dependencies, ListServices>, 'endpoints' | 'queries'>> {
  return {
    endpoints: (services) =>
      inBothFamilies((base, family) => [
        ...resourceEndpoints(resource, services, base, family),
        ...others(services, base, family),
      ]),
    queries: ({ lists }) => [resourceQuery(resource, lists)],
  };
}
