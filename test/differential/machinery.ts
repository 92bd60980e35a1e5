import { definitionScenarios } from './machinery/definitions.ts';
import { patchScenarios } from './machinery/patches.ts';
import { requestScenarios } from './machinery/requests.ts';
import type { Family } from './scenario.ts';

/** What all kinds have in common: patches, options, media types, bodies. */
export const machinery: Family = { fixed: () => [...patchScenarios, ...requestScenarios] };

/** Definitions and their objects; when one is served differs from server to server, so versions and uids are not told apart. */
export const definitions: Family = {
  fixed: () => definitionScenarios,
  ignored: ['uid', 'resourceVersion'],
};
