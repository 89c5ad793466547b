export { type Job, type JobGuard, type SteppedJob, steppedJob } from './job.ts';
export { kernelModule } from './kernel-module.ts';
export { type Module, ofAll } from './module.ts';
export { type ListServices, ofResource } from './of-resource.ts';
