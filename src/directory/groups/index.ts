export { group } from './group.ts';
export { groupSchema, groupView } from './group-view.ts';
export { groupsModule } from './module.ts';
