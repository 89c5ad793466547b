import { type Endpoint, json } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  endpoint,
  type FamilyBase,
  inBothFamilies,
} from '../../kernel/organizations/index.ts';
import { familyA, familyB, ownViews, tenantView } from './views/family-views.ts';
import { answerSchema, type Body, bodySchema, draftOf, readView, type View, type WriteMode } from './views/view.ts';
import { surroundingsOf, type Truth } from './views/view-field.ts';
import { readTruth, type SettingsDependencies, writeSettings } from './write/write-settings.ts';

const tags = ['Settings'];

/** One address of settings. */
interface Section {
  readonly base: FamilyBase;
  readonly family: Family;
  /** Below `/admin/settings`. */
  readonly path: string;
  readonly title: string;
  readonly view: View;
}

/** `/admin/settings` with what stands below it. */
export function settingsEndpoints(dependencies: SettingsDependencies): Endpoint[] {
  const read = (section: Section): Endpoint => readEndpoint(dependencies, section);
  const write = (section: Section, method: 'PUT' | 'PATCH', mode: WriteMode): Endpoint =>
    writeEndpoint(dependencies, section, method, mode);
  return inBothFamilies((base, family) => {
    const view: View = family === 'org' ? familyA : tenantView;
    const all: Section = { base, family, path: '', title: 'settings', view };
    const sections = Object.entries<View>({ ...familyA, ...familyB, ...ownViews }).map(
      ([name, each]): Section => ({ base, family, path: `/${name}`, title: `settings: ${name}`, view: each }),
    );
    return [
      read(all),
      // in the tenant family a PUT merges; the org family writes each category for itself
      ...(family === 'tenant' ? [write(all, 'PUT', 'merge')] : []),
      ...sections.flatMap((each) => [read(each), write(each, 'PUT', 'replace'), write(each, 'PATCH', 'merge')]),
    ];
  });
}

function readEndpoint(dependencies: SettingsDependencies, { base, family, path, title, view }: Section): Endpoint {
  const { engine, baseUrl } = dependencies;
  return endpoint({
    method: 'GET',
    path: `${base}/admin/settings${path}`,
    summary: `Read ${title}`,
    tags,
    access: { permission: 'settings.read' },
    responses: { 200: singleSchema(answerSchema(view)) },
    handler: ({ caller }) =>
      answerIfMay(engine, caller, 'settings.read', () =>
        json(200, singleAnswer(shown(view, readTruth(dependencies, caller.organization), caller, baseUrl), family)),
      ),
  });
}

function writeEndpoint(
  dependencies: SettingsDependencies,
  { base, family, path, title, view }: Section,
  method: 'PUT' | 'PATCH',
  mode: WriteMode,
): Endpoint {
  return endpoint({
    method,
    path: `${base}/admin/settings${path}`,
    summary: `${mode === 'replace' ? 'Replace' : 'Change'} ${title}`,
    description:
      mode === 'replace'
        ? 'What is left out returns to what it was at first. The name of the organization, and secrets, stay.'
        : 'What is left out stays, within nested objects too.',
    tags,
    access: { permission: 'settings.manage' },
    body: bodySchema(view),
    responses: { 200: singleSchema(answerSchema(view)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const truth = await writeSettings(dependencies, caller, factsOf(call), {
        draft: draftOf(view, body, mode),
        auditEvent: { action: 'settings.update', targetType: 'settings', targetId: path.slice(1) || 'all' },
      });
      return json(200, singleAnswer(shown(view, truth, caller, dependencies.baseUrl), family));
    },
  });
}

function shown(view: View, truth: Truth, { organization }: Caller, baseUrl: string): Body {
  return readView(view, truth, surroundingsOf(baseUrl, organization.slug));
}
