/** Compliance subject of `alertmanagerSilences`. */

import {
  type AlertmanagerSilencesOptions,
  alertmanagerSilences,
} from '../../../../integrations/notify/alertmanager.ts';
import type { Workspace } from '../../../../sdk/index.ts';
import { httpFailures, type Run, type Subject } from '../../../compliance/index.ts';

/** Token that the stand-in asks for. */
export const token = 'a-token-that-nobody-else-may-see';

const spec = (team: string) => ({ integrations: { silenced: { team } } });

const teamOf = ({ spec: { integrations } }: Workspace): string =>
  String((integrations?.silenced as { readonly team?: unknown } | undefined)?.team ?? 'none');

/** Compliance subject, for any Alertmanager. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'tag',
  spec: spec('red'),
  edited: spec('blue'),
  sameName: 'separate',
  drift: 'mended',
  failures: httpFailures,
  secrets: [token],
};

/** Integration of one run, which is always to be silent. */
export const integrationOf = ({ fetch, clock }: Run, options: Partial<AlertmanagerSilencesOptions>) =>
  alertmanagerSilences({
    url: 'https://alerts.example.test',
    labels: (workspace) => ({ namespace: workspace.metadata.namespace ?? '', team: teamOf(workspace) }),
    during: () => true,
    fetch,
    clock,
    ...options,
  });
