export { rolesModule } from './module.ts';
export { roleSchema, roleView } from './role-view.ts';
