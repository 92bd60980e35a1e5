import type { Scenario, Step } from '../runner/scenario.ts';
import { definition, definitions } from './definitions.ts';

const things = '/apis/{ns}.example.com/v1/namespaces/{ns}/things';
const thing = (name: string): Step => ({
  path: things,
  body: { apiVersion: '{ns}.example.com/v1', kind: 'Thing', metadata: { name } },
});

const defined: Step = {
  path: definitions,
  silent: true,
  body: definition({ 'x-kubernetes-preserve-unknown-fields': true }),
};

/** A watch of a kind that is removed. */
export const withdrawn: Scenario = {
  name: 'watch: a definition that is deleted meanwhile',
  steps: [
    defined,
    { path: things, until: 200, silent: true },
    { ...thing('a'), until: 201 },
    thing('b'),
    { path: `${things}?watch=true&resourceVersion={3.metadata.resourceVersion}`, opens: 'w' },
    thing('c'),
    { method: 'DELETE', path: `${definitions}/things.{ns}.example.com`, silent: true },
    { path: '', collects: 'w', events: 5 },
    { path: things, until: 404 },
  ],
};
