import { z } from 'zod';
import type { ModelSource } from '#engine';

const dsl = z
  .strictObject({ dsl: z.string().min(1).describe('The model in the OpenFGA language') })
  .meta({ id: 'ModelText' });

const modules = z
  .strictObject({
    modules: z
      .array(z.strictObject({ name: z.string().min(1).max(256), contents: z.string() }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'ModelModules' });

/** What is in it is read by the engine, which names the path of a fault. */
const openFga = z
  .strictObject({
    id: z.string().max(256).describe('Accepted and ignored').optional(),
    schema_version: z.string().max(16),
    type_definitions: z.array(z.record(z.string(), z.unknown())).max(10_000),
    conditions: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'OpenFgaModel', description: "An authorization model in OpenFGA's JSON" });

export const modelBody = z.union([dsl, modules, openFga]);

/** A model as callers send it. */
export type SentModel = ModelSource | z.output<typeof openFga>;

/** A body of the type `text/plain`. */
export function plainModel(text: string): z.input<typeof dsl> {
  return { dsl: text };
}
