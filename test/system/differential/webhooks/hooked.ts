/** Registers webhooks and reads their requests. */

import { type Behaviour, behaviourText } from '../runner/hooks.ts';
import type { Scenario, Step } from '../runner/scenario.ts';

/** Path of webhook configurations. */
export const registration = '/apis/admissionregistration.k8s.io/v1';
/** Path of ConfigMaps, the objects of most webhooks. */
export const maps = '/api/v1/namespaces/{ns}/configmaps';

/** A webhook; everything but its name and its behaviour has a default. */
export interface Hook extends Behaviour {
  readonly name: string;
  /** Further fields of its configuration. */
  readonly with?: object;
}

/** A rule for a resource. */
export const ruleFor = (resource: string, more: object = {}): object => {
  const [group = '', plural = resource] = resource.includes('|') ? resource.split('|') : ['', resource];
  return { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: [plural], ...more };
};

const here = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } };

function webhookOf({ name, with: given, ...behaviour }: Hook): object {
  return {
    name: `${name}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 5,
    clientConfig: { url: `{hooks}/{ns}/${name}/${behaviourText(behaviour)}`, caBundle: '{ca}' },
    namespaceSelector: here,
    rules: [ruleFor('configmaps')],
    ...given,
  };
}

const teapot = 418;

/** Webhook that refuses the probe's write, which shows that the configuration is in force. */
const ready = (kind: string): object =>
  webhookOf({
    name: 'ready',
    response: { allowed: false, status: { code: teapot } },
    with: { objectSelector: { matchLabels: { probe: kind } }, rules: [ruleFor('endpoints')] },
  });

/** Registers webhooks, and waits until they are in force. */
export const registered = (kind: 'mutating' | 'validating', hooks: readonly Hook[]): readonly Step[] => [
  {
    path: `${registration}/${kind}webhookconfigurations`,
    body: { metadata: { name: '{ns}' }, webhooks: [...hooks.map(webhookOf), ready(kind)] },
    silent: true,
  },
  {
    path: '/api/v1/namespaces/{ns}/endpoints?dryRun=All',
    body: { metadata: { name: 'probe', labels: { probe: kind } } },
    until: teapot,
    silent: true,
  },
];

/** Reads the requests to the scenario's webhooks since the previous read. */
export const sent: Step = { path: '{hooks}/{ns}' };

/** Creates a ConfigMap of the given name. */
export const map = (name: string, more: object = {}): Step => ({
  path: maps,
  body: { metadata: { name }, data: { a: 'b' }, ...more },
});

/** Runs requests under webhooks, and reads the requests to these. */
export const hooked = (
  name: string,
  { mutating = [], validating = [] }: { readonly mutating?: readonly Hook[]; readonly validating?: readonly Hook[] },
  steps: readonly Step[],
): Scenario => ({
  name,
  apart: true,
  steps: [
    ...(mutating.length > 0 ? registered('mutating', mutating) : []),
    ...(validating.length > 0 ? registered('validating', validating) : []),
    ...steps,
    sent,
  ],
});
