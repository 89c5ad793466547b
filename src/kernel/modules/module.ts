import type { Endpoint } from '../../http/index.ts';
import type { MetricDefinition } from '../../platform/index.ts';
import type { AnyAssignment } from '../assignments/index.ts';
import type { AnyEventType } from '../events/index.ts';
import type { Family, RecordLists } from '../lists/index.ts';
import { type FamilyBase, inBothFamilies } from '../organizations/index.ts';
import type { QueryHandler } from '../queries/index.ts';
import type { AnyRecordKind } from '../records/index.ts';
import {
  type Resource,
  type ResourceEndpointDependencies,
  resourceEndpoints,
  resourceQuery,
} from '../resources/index.ts';
import type { TaskHandler } from '../tasks/index.ts';
import type { AdminDependencies } from '../transactions/index.ts';
import type { Job } from './job.ts';

/**
 * What one part of the service adds to it. The composition root is a list of these.
 *
 * `Services` is what its endpoints and tasks work with, `QueryServices` what its queries in the pool work with, and
 * `JobServices` what its jobs work with.
 */
export interface Module<in Services = unknown, in QueryServices = unknown, in JobServices = unknown> {
  /** As people call it: `roles`. */
  readonly name: string;
  /** The kinds of records that it keeps. */
  readonly records?: readonly AnyRecordKind[];
  /** What it gives to somebody. */
  readonly assignments?: readonly AnyAssignment[];
  /** Types that it adds to the system model, in the language of `config/system.fga`. */
  readonly types?: string;
  /** The types of events that it causes. */
  readonly events?: readonly AnyEventType[];
  /** What it counts and measures. */
  readonly metrics?: readonly MetricDefinition[];
  /** Its endpoints in one thread, in the order of the OpenAPI document. */
  readonly endpoints?: (services: Services) => readonly Endpoint[];
  /** Its pages for people, which the OpenAPI document does not describe. */
  readonly pages?: (services: Services) => readonly Endpoint[];
  /** What it answers in the threads of the query pool. */
  readonly queries?: (services: QueryServices) => readonly QueryHandler[];
  /** The long writes that it does in the thread of tasks. */
  readonly tasks?: (services: Services) => readonly TaskHandler[];
  /** What goes on without a request. */
  readonly jobs?: readonly Job<JobServices>[];
}

/** Something of all modules, in their order. */
export function ofAll<Part, M extends Module<never, never, never>>(
  modules: readonly M[],
  of: (module: M) => readonly Part[] | undefined,
): Part[] {
  return modules.flatMap((module) => of(module) ?? []);
}

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
