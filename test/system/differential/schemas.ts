import type { Family } from './runner/scenario.ts';
import { lifeScenarios } from './schemas/lives.ts';
import { objectScenarios } from './schemas/objects.ts';
import { schemaScenarios } from './schemas/schemas.ts';

/** Definitions over their life, schemas valid and invalid, and values of every type. */
export const schemas: Family = {
  ignored: ['uid', 'resourceVersion', 'managedFields', 'generation'],
  fixed: () => [...schemaScenarios, ...objectScenarios, ...lifeScenarios],
};
