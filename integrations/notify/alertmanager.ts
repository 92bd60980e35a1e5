/** Integration that silences the alerts of an environment at an Alertmanager while the environment is being changed. */

import {
  defineIntegration,
  type ExternalResource,
  type Integration,
  isDeleting,
  isJsonObject,
  type ProviderController,
  type Result,
  type Workspace,
} from '../../sdk/index.ts';
import { quoted } from '../quoted-text.ts';
import { hasGone, progressOf } from './environment-progress.ts';
import {
  type AlertmanagerSilencesOptions,
  type CheckedSilenceOptions,
  checkedSilenceOptions,
} from './silence-options.ts';
import { type SilenceId, silenceResource, type WantedSilence } from './silence-resource.ts';
import type { SilencedLabel } from './silences.ts';

export type { NotifyOptions } from './common-options.ts';
export type { AlertmanagerSilencesOptions } from './silence-options.ts';

/** Most labels of a silence, and the longest value of one in characters. */
const [maxLabels, maxValueLength] = [16, 253];

/** Returns the desired silence of a workspace, or the mistake in the result of the option `labels`. */
function wantedSilence(workspace: Workspace, { labels }: CheckedSilenceOptions): WantedSilence | string {
  const answered: unknown = labels(workspace);
  const expected = 'option labels of alertmanagerSilences must return an object { label: value }';
  if (!isJsonObject(answered)) return `${expected}; found ${quoted(answered)}`;
  const entries = Object.entries(answered);
  if (entries.length === 0 || entries.length > maxLabels)
    return `${expected} with 1 to ${maxLabels} labels: without one all alerts would be silent; found ${entries.length}`;
  const silenced: SilencedLabel[] = [];
  for (const [name, value] of entries) {
    if (!/^[a-zA-Z_]\w{0,62}$/.test(name))
      return `${expected}, named as Prometheus names labels; found ${quoted(name)}`;
    if (typeof value !== 'string' || value === '' || value.length > maxValueLength)
      return `${expected}, with texts of 1 to ${maxValueLength} characters; ${name} is ${quoted(value)}`;
    silenced.push({ name, value });
  }
  const { namespace, name } = workspace.metadata;
  return {
    text: `Environment ${namespace}/${name} is being changed`,
    labels: silenced.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

type SilenceProvider = (controller: ProviderController) => Promise<Result | void>;

/** Keeps a silence while the workspace is to be silent, and none otherwise. */
function keeping(
  options: CheckedSilenceOptions,
  resource: ExternalResource<WantedSilence, SilenceId>,
): SilenceProvider {
  return async (controller) => {
    const { workspace } = controller;
    const wanted = options.during(workspace) ? wantedSilence(workspace, options) : [];
    if (typeof wanted === 'string') return controller.updateCondition('Error', wanted);
    return controller.ensure(resource, wanted);
  };
}

/**
 * Keeps a silence at an Alertmanager while the environment of a workspace is made, changed or deleted.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function alertmanagerSilences(options: AlertmanagerSilencesOptions): Integration {
  const checked = checkedSilenceOptions(options);
  const resource = silenceResource(checked);
  const keep = keeping(checked, resource);
  return defineIntegration({
    name: checked.name,
    condition: checked.condition,
    secrets: checked.secrets,
    endpoints: [options.url],
    limits: checked.limits,
    handles: checked.handles,
    reads: progressOf,
    connect: ({ workspace, controller }) => ({
      reconcile: () => keep(controller),
      terminate: () => (isDeleting(workspace) && !hasGone(workspace) ? keep(controller) : controller.destroy(resource)),
    }),
  });
}
