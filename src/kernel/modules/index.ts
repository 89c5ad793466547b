export { type Job, type JobGuard, type RunningJob, type SteppedJob, steppedJob } from './job.ts';
export { kernelModule } from './kernel-module.ts';
export { type ListServices, type Module, ofAll, ofResource } from './module.ts';
