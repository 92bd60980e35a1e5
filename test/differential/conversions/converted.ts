import { type Behaviour, behaviourText } from '../hooks.ts';
import type { Step } from '../scenario.ts';
import { create, served, versionOf } from '../schemas/thing.ts';

/** How a definition says that a webhook converts its objects; `more` is put into `webhook`. */
export const converting = (behaviour: Behaviour, more: object = {}): object => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: `{hooks}/{ns}/convert/${behaviourText(behaviour)}`, caBundle: '{ca}' },
    conversionReviewVersions: ['v1'],
    ...more,
  },
});

/** A schema of `spec` in which the member of the version's own name is a text; others are `more`. */
export const textIn = (version: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  'x-kubernetes-preserve-unknown-fields': undefined,
  properties: {
    spec: { type: 'object', properties: { [version]: { type: 'string' }, kept: { type: 'string' }, ...more } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

/** Two versions, of which the first is stored, that call the same text by their own names. */
export const twoVersions = (more: object = {}): readonly object[] =>
  ['v1', 'v2'].map((name) => versionOf(name, more, textIn(name)));

/** Makes a definition whose objects a webhook converts, and waits until both versions are served. */
export const convertedBy = (
  behaviour: Behaviour,
  {
    versions = twoVersions(),
    ...more
  }: { readonly versions?: readonly object[] } & Readonly<Record<string, unknown>> = {},
): readonly Step[] => [...create(versions, { conversion: converting(behaviour, more) }), served('v2')];
