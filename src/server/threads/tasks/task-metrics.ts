import type { MetricDefinition } from '../../../platform/index.ts';

export const taskMetrics: readonly MetricDefinition[] = [
  { kind: 'gauge', name: 'relata_tasks_waiting', help: 'Tasks that wait for their turn.', across: 'sum' },
  { kind: 'gauge', name: 'relata_tasks_running', help: 'Tasks that run, in the thread of tasks.', across: 'sum' },
];
