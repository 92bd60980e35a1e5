/**
 * Previews: a Workspace for each pull request.
 *
 * @packageDocumentation
 */

import type { ConfiguredRunnable, Integration } from '../../sdk/index.ts';
import { namespaceOf } from './manifest.ts';
import { checkedPreviewOptions, type PreviewOptions } from './options.ts';
import { previewReport } from './report.ts';
import { previewsRunnable } from './runnable.ts';

export type { PreviewOptions } from './options.ts';
export type { PreviewTemplate } from './template.ts';

/** Parts of previews, for a config. */
export interface Previews {
  /** Keeps the Workspaces: for the config's `runnables`. */
  readonly runnable: ConfiguredRunnable;
  /** Reports each of them on its pull request, by one comment and a commit status: for the config's `integrations`. */
  readonly integration: Integration;
}

/**
 * Keeps one Workspace for each open pull request of some repositories: created when it is opened or reopened, changed when something is pushed, deleted
 * when it is closed or merged.
 * @throws TypeError naming the missing, invalid or unknown option, or the reference in the template that stands for nothing
 */
export function previews(options: PreviewOptions): Previews {
  const checked = checkedPreviewOptions(options);
  const integration = previewReport({ ...checked, namespace: namespaceOf(checked.template) });
  return { runnable: previewsRunnable(checked), integration };
}
