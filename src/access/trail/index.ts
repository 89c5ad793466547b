export { ElevationTrail } from './elevation-trail.ts';
export { trailModule } from './module.ts';
