import { stemOf } from './words.ts';

/** What people do with anything: they say little without the thing. */
const generalVerbs = [
  'read view see look open show browse check inspect display access watch visible consult list fetch retrieve',
  'create add make register open insert introduce new',
  'change edit update modify alter adjust correct amend rename fix rewrite revise',
  'delete remove erase drop purge destroy wipe discard forget',
  'cancel stop abort revoke call withdraw halt terminate',
  'close finish resolve complete done end',
  'approve accept confirm release authorise authorize clear',
  'run start trigger launch execute begin kick',
  'send mail dispatch ship deliver email',
  'publish release post online',
  'assign give hand allocate delegate',
  'move transfer relocate shift',
  'request ask order',
  'export download extract',
  'import upload load',
  'manage administer administrate',
  'search find query look',
  'write edit change',
  'copy clone duplicate',
];

/** Words of particular work. */
const otherGroups = [
  'book reserve schedule arrange plan make',
  'push upload commit',
  'pay settle',
  'refund reimburse repay return',
  'rotate replace renew exchange',
  'toggle switch turn enable disable',
  'enable activate',
  'disable deactivate suspend block',
  'archive retire withdraw',
  'restart reboot',
  'deploy release ship rollout',
  'rollback revert undo',
  'write annotate insert',
  'issue hand create make',
  'join enter',
  'clone fork',
  'count inventory',
  'lead head',
  'repository repo',
  'database db',
  'documentation docs manual document',
  'invoice bill billing',
  'issue ticket bug',
  'drug medication medicine',
  'secret password credential',
  'customer client buyer',
  'supplier vendor',
  'product article item',
  'environment env',
  'organization organisation company tenant',
  'image imaging picture photo scan',
  'laboratory lab',
  'configuration config settings',
  'purchase order',
  'review rating comment',
  'staff employee',
  'log logs logging',
  'file record',
];

/** Near enough where nothing is nearer. */
const looseGroups = ['delete cancel archive', 'create write', 'send move', 'run create', 'change replace'];

const WEIGHT = 0.8;
const LOOSE_WEIGHT = 0.5;

const byStem = new Map<string, Map<string, number>>();
note(looseGroups, LOOSE_WEIGHT);
note([...generalVerbs, ...otherGroups], WEIGHT);
const generalStems = new Set(generalVerbs.flatMap((group) => group.split(' ').map(stemOf)));

const none: ReadonlyMap<string, number> = new Map();

/** The stems that may stand for one, with what each of them counts where the word itself counts one. */
export function synonymsOf(stem: string): ReadonlyMap<string, number> {
  return byStem.get(stem) ?? none;
}

/** Whether it is a verb that goes with nearly everything. */
export function isGeneralVerb(stem: string): boolean {
  return generalStems.has(stem);
}

function note(groups: readonly string[], weight: number): void {
  for (const group of groups) {
    const stems = [...new Set(group.split(' ').map(stemOf))];
    for (const stem of stems) {
      const others = byStem.get(stem) ?? new Map<string, number>();
      for (const other of stems) if (other !== stem) others.set(other, weight);
      byStem.set(stem, others);
    }
  }
}
