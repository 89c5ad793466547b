export { type Announcement, type ServeParts, serve } from './serve.ts';
export { type RunningServer, startServer } from './supervisor.ts';
