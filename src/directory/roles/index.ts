export { rolesModule } from './module.ts';
export { role } from './role.ts';
export { roleSchema, roleView } from './role-view.ts';
