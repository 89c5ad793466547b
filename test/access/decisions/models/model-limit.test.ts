import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Change, modelKinds, modelToJson } from '../../../../engine/index.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';

const MODELS_MAX = 10_000;

let service: InProcessService;
beforeAll(async () => {
  service = await InProcessService.start();
});
afterAll(() => service.stop());

test('models that are written at the same moment do not pass the limit together', async () => {
  const org = await service.organization('models');
  const { store } = org.organization;
  const count = () => service.read(() => store.modelIds().length);
  const version = (id: string, model: { json: unknown; kinds: readonly (readonly [string, string])[] }): Change => ({
    op: 'write_model',
    store: store.name,
    model: { id, source: { dsl: '' }, ...model },
  });
  const { model } = service.read(() => store.model());
  const empty = { json: { schema_version: '1.1', type_definitions: [] }, kinds: [] };
  const older = Array.from({ length: MODELS_MAX - 3 - count() }, (_, n) => version(`model-${n}`, empty));
  // the latest is one in which somebody may write the next
  await service.submit([...older, version('latest', { json: modelToJson(model), kinds: modelKinds(model) })]);
  expect(count()).toBe(MODELS_MAX - 2);
  const body = { dsl: 'model\n  schema 1.1\ntype user\ntype thing\n' };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => service.call('POST', '/t/models/api/v1/zanzibar/models', { key: org.key, body })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body).toMatchObject({ code: 'refused', detail: 'There are too many model versions.' });
  expect(count()).toBe(MODELS_MAX);
});
