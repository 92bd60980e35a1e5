/** Objects and versions of conversion scenarios. */

import type { Step } from '../runner/scenario.ts';
import { at, changeJson, versionOf } from '../schemas/thing.ts';
import { textIn } from './converted.ts';

/** The webhook of most scenarios. */
export const rename = { convert: 'rename' };
/** The media type of an apply. */
export const apply = 'application/apply-patch+yaml';
/** The media type of a JSON patch. */
export const json = 'application/json-patch+json';
/** A forced apply by a manager. */
export const applied = (path: string, manager: string, body: object): Step => ({
  method: 'PATCH',
  path: `${path}?fieldManager=${manager}&force=true`,
  contentType: apply,
  body,
});
/** Body with one member of `spec` named after a version. */
export const v = (name: string, value: unknown, more: object = {}) => ({ spec: { [name]: value, ...more } });

/** Waits for storages, which are torn down when definitions change. */
export const settled: readonly Step[] = [...'12345678'].map(() => ({ path: at('v1'), until: 200, silent: true }));

const subresources = {
  subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
};
const counted = (version: string) => textIn(version, { n: { type: 'integer' } });
/** Versions with a status and a scale. */
export const scaled = ['v1', 'v2'].map((name) => versionOf(name, subresources, counted(name)));

/** Versions that each have a default of their own. */
export const withDefaults = ['v1', 'v2'].map((name) =>
  versionOf(name, {}, textIn(name, { [`default${name}`]: { type: 'string', default: `of ${name}` } })),
);
/** Versions, of which the first has the stricter schema. */
export const strict = ['v1', 'v2'].map((name) =>
  versionOf(name, {}, textIn(name, { [name]: { type: 'string', maxLength: name === 'v1' ? 3 : 9 } })),
);
/** Versions that each have their own name for a selectable field. */
export const selectable = ['v1', 'v2'].map((name) =>
  versionOf(name, { selectableFields: [{ jsonPath: `.spec.${name}` }] }, textIn(name)),
);
/** Versions with columns of their own. */
export const printed = ['v1', 'v2'].map((name) =>
  versionOf(
    name,
    { additionalPrinterColumns: [{ name: `Of ${name}`, type: 'string', jsonPath: `.spec.${name}` }] },
    textIn(name),
  ),
);

/** Makes the second version the stored one. */
export const toV2 = changeJson(
  { op: 'replace', path: '/spec/versions/0/storage', value: false },
  { op: 'replace', path: '/spec/versions/1/storage', value: true },
);
