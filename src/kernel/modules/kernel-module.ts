import { type EventRetention, eventsRecords, sweepEvents } from '../events/index.ts';
import { organizationRecords, sweepExpired, type WalkDependencies } from '../organizations/index.ts';
import type { AnyRecordKind } from '../records/index.ts';
import { adminRecords } from '../transactions/index.ts';
import { steppedJob } from './job.ts';
import type { Module } from './module.ts';

interface KernelJobServices extends WalkDependencies {
  readonly records: readonly AnyRecordKind[];
  readonly limits: EventRetention;
}

/** What belongs to no part of the service alone. */
export const kernelModule: Module<unknown, unknown, KernelJobServices> = {
  name: 'kernel',
  records: [organizationRecords, ...adminRecords, ...eventsRecords],
  jobs: [
    steppedJob({ name: 'expired_records', runs: 'in the cluster' }, (services: KernelJobServices) =>
      sweepExpired(services, services.records),
    ),
    steppedJob({ name: 'events', runs: 'in the cluster' }, (services: KernelJobServices) =>
      sweepEvents(services, services.limits),
    ),
  ],
};
