import type { Family, Scenario } from '../../runner/scenario.ts';
import { beforeSubjects, subjects } from '../subjects.ts';
import { garbage } from './garbage.ts';
import { finalized, terminating, writes } from './namespaces.ts';
import { owners } from './owners.ts';
import { kept, quotas } from './quotas.ts';
import { signing } from './signing-requests.ts';

const subjectNames = ['configMap', 'pod', 'service', 'deployment', 'lease', 'workspace', 'secret'] as const;

function* controllerScenarios(): Generator<Scenario> {
  for (const [title, steps] of Object.entries(terminating)) yield { name: `terminating namespaces: ${title}`, steps };
  for (const [title, steps] of Object.entries(kept)) yield { name: `what every namespace has: ${title}`, steps };
  for (const [title, steps] of Object.entries(quotas)) yield { name: `quotas: ${title}`, steps };
  for (const name of subjectNames) yield { name: `terminating namespaces: ${name}`, steps: writes(subjects[name]) };
  for (const [title, steps] of Object.entries(signing)) yield { name: `signing: ${title}`, steps };
  yield finalized;
  for (const [title, steps] of Object.entries({ ...garbage, ...owners })) yield { name: `garbage: ${title}`, steps };
}

/** Controllers of an API server: garbage collection, namespaces and their contents, quotas, certificates. */
export const controllers: Family = {
  fixed: controllerScenarios,
  before: beforeSubjects,
  controllers: 'more',
  ignored: ['resourceVersion', 'time'],
  unordered: ['items'],
  masks: [
    [/\.[0-9a-f]{16}(?=$|")/g, '.<event>'],
    [/-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\n/g, '<certificate>'],
  ],
};
