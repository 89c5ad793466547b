import { ProblemError } from '../../http/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { problemOf, requestOf } from '../../kernel/queries/index.ts';
import { askedSubject, decidePermission, decideRelation, outcomeFields } from '../decisions/index.ts';
import { explainDecision, explainUnmapped, type Told, unmappedTexts } from './answer/explain.ts';
import { nameFor } from './answer/names.ts';
import type { AskBody, AskResult } from './ask-body.ts';
import type { AskDependencies } from './dependencies.ts';
import type { Reading } from './mapping/mapping.ts';
import type { MappingAnswer, MappingTask } from './mapping/mapping-query.ts';
import type { NamedObject } from './question/objects.ts';

/**
 * Answers a question in plain words. Its words decide only what is asked; the answer is that of `POST /authz/check` or
 * `POST /zanzibar/check` for this caller. A question that was not understood is never allowed.
 * @throws ProblemError, EngineError as those do
 */
export async function ask(dependencies: AskDependencies, caller: Caller, body: AskBody): Promise<AskResult> {
  const { question, context } = body;
  const { mapping, names } = await mapped(dependencies, caller, {
    kind: 'ask_map',
    question,
    resource: objectOf(context?.resource),
    isAboutSubject: context?.subject !== undefined,
    wantsChoices: false,
  });
  if (!mapping.isMapped) {
    return {
      allowed: false,
      explanation: explainUnmapped(mapping, names),
      confidence: rounded(mapping.confidence),
      required_scopes: mapping.reason === 'several' ? scopesOf(mapping.readings) : [],
    };
  }
  const [reading] = mapping.readings;
  if (reading === undefined) return notUnderstood;
  const subject = context?.subject ?? mapping.subject;
  return dependencies.engine.read(() => {
    const decision = decide(dependencies, caller, reading, subject);
    // nobody learns by guessing a name that a role is there
    const mayRead = caller.may('tuples.read');
    if (!decision.allowed && !mayRead && isOfRole(reading) && !mapping.isNamed) return notUnderstood;
    const explanation = explainDecision({
      mapping,
      reading,
      decision,
      names,
      subject: subject ?? caller.subject ?? '',
      // with a delegated or elevated token, the subject and the actor are two
      actor: subject === undefined || subject === caller.subject ? caller.actor : undefined,
      nameOf: (object) => nameFor(caller, object),
    });
    return {
      allowed: decision.allowed,
      explanation,
      confidence: rounded(mapping.confidence),
      required_scopes: scopesOf([reading]),
    };
  });
}

async function mapped(dependencies: AskDependencies, caller: Caller, task: MappingTask): Promise<MappingAnswer> {
  const chooser = dependencies.languageModels.of(caller.organization);
  const byWords = await run(dependencies, caller, { ...task, wantsChoices: chooser !== undefined });
  if (chooser === undefined || byWords.choices === undefined) return byWords;
  const choice = await chooser(task.question, byWords.choices);
  return choice === undefined ? byWords : run(dependencies, caller, { ...task, choice });
}

async function run({ queryPool }: AskDependencies, caller: Caller, task: MappingTask): Promise<MappingAnswer> {
  const answer = await queryPool.run(requestOf(caller, task));
  if (!answer.ok) throw new ProblemError(problemOf(answer));
  return JSON.parse(answer.text) as MappingAnswer; // made by this service
}

/** To be called inside `Engine.read`. */
function decide(
  dependencies: AskDependencies,
  caller: Caller,
  reading: Reading,
  subject: string | undefined,
): Told['decision'] {
  const asked = askedSubject(caller, { subject });
  const now = dependencies.clock.now();
  const { decision, explain } =
    reading.kind === 'permission'
      ? decidePermission(
          dependencies,
          caller,
          { resource: reading.resource },
          { subject: asked, permission: reading.permission, now },
        )
      : decideRelation(
          dependencies,
          caller,
          { object: `${reading.object.type}:${reading.object.id}`, relation: reading.relation, subject: asked },
          now,
        );
  return { ...outcomeFields(decision), ...(caller.may('tuples.read') ? { explanation: explain() } : {}) };
}

const notUnderstood: AskResult = {
  allowed: false,
  explanation: unmappedTexts.unknown,
  confidence: 0.02,
  required_scopes: [],
};

function isOfRole(reading: Reading): boolean {
  return reading.kind === 'relation' && (reading.object.type === 'role' || reading.object.type === 'group');
}

function scopesOf(readings: readonly Reading[]): string[] {
  return [...new Set(readings.flatMap((reading) => (reading.kind === 'permission' ? [reading.permission] : [])))];
}

function objectOf(resource: string | NamedObject | undefined): NamedObject | undefined {
  if (typeof resource !== 'string') return resource;
  const colon = resource.indexOf(':');
  return { type: resource.slice(0, colon), id: resource.slice(colon + 1) };
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
