export { FollowedStreams } from './followed-streams.ts';
