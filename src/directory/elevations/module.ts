import { type Module, steppedJob } from '../../kernel/modules/index.ts';
import { taskRecords } from '../records/index.ts';
import { type DueDependencies, settleDueTasks } from './end/due-tasks.ts';
import { ruleRecords } from './rules/rule-record.ts';
import { elevationSettingsRecords } from './settings/elevation-settings.ts';
import { jitEvents } from './told/events.ts';

/** What agents ask for beyond what they have, and what they are lent. */
export const elevationsModule: Module<unknown, unknown, DueDependencies> = {
  name: 'elevations',
  records: [taskRecords, elevationSettingsRecords, ruleRecords],
  events: jitEvents,
  jobs: [steppedJob({ name: 'elevations', runs: 'in the cluster' }, settleDueTasks)],
};
