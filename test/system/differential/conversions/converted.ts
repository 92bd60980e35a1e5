/** Definitions with conversion webhooks. */

import { type Behaviour, behaviourText } from '../runner/hooks.ts';
import type { Step } from '../runner/scenario.ts';
import { create, served, versionOf } from '../schemas/thing.ts';

/** Conversion of a definition by a webhook; `more` is merged into `webhook`. */
export const converting = (behaviour: Behaviour, more: object = {}): object => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: `{hooks}/{ns}/convert/${behaviourText(behaviour)}`, caBundle: '{ca}' },
    conversionReviewVersions: ['v1'],
    ...more,
  },
});

/** A schema of `spec` with a text member named after the version; `more` are other members. */
export const textIn = (version: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  'x-kubernetes-preserve-unknown-fields': undefined,
  properties: {
    spec: { type: 'object', properties: { [version]: { type: 'string' }, kept: { type: 'string' }, ...more } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

/** Two versions, the first stored, with different names for the same text. */
export const twoVersions = (more: object = {}): readonly object[] =>
  ['v1', 'v2'].map((name) => versionOf(name, more, textIn(name)));

/** Creates a definition with a conversion webhook, and waits until both versions are served. */
export const convertedBy = (
  behaviour: Behaviour,
  {
    versions = twoVersions(),
    ...more
  }: { readonly versions?: readonly object[] } & Readonly<Record<string, unknown>> = {},
): readonly Step[] => [...create(versions, { conversion: converting(behaviour, more) }), served('v2')];
