/** Options of the integration for Alertmanager and their validation. */

import { type Clock, systemClock, type Workspace } from '../../sdk/index.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import {
  type CheckedNotifyOptions,
  checkedNotifyOptions,
  type NotifyOptions,
  notifyOptionNames,
} from './common-options.ts';
import { isChanging } from './environment-progress.ts';
import { type Silences, silencesAt } from './silences.ts';

/** Options of {@link alertmanagerSilences}. */
export interface AlertmanagerSilencesOptions extends NotifyOptions {
  /** Address of the Alertmanager, such as `https://alerts.example.com`; `/api/v2` is appended. */
  readonly url: string;
  /** Token that a proxy in front of it asks for. @default none */
  readonly token?: string;
  /** User and password of its `basic_auth_users`. @default none */
  readonly basic?: { readonly user: string; readonly password: string };
  /** Condition: words that begin with `Silenced`. @default 'Silenced' */
  readonly condition?: string;
  /** Labels, with their values, of the alerts of a workspace. @default `{ namespace, workspace }`, the names of both */
  readonly labels?: (workspace: Workspace) => Readonly<Record<string, string>>;
  /** Reports whether a workspace is to be silent now. @default while it is made, changed or deleted */
  readonly during?: (workspace: Workspace) => boolean;
  /** ms after which a silence ends by itself. @default 3 600 000 */
  readonly maxDuration?: number;
  /** ms for which a list may miss a new silence: the time that Alertmanagers behind one address need to synchronize. @default 0 */
  readonly listLag?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 60 000 */
  readonly driftInterval?: number;
  /** Name in `createdBy`. @default 'workspace-sequencer' */
  readonly createdBy?: string;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** Options with their defaults. */
export interface CheckedSilenceOptions extends CheckedNotifyOptions {
  readonly operations: Silences;
  readonly secrets: readonly string[];
  readonly labels: (workspace: Workspace) => Readonly<Record<string, string>>;
  readonly during: (workspace: Workspace) => boolean;
  /** ms */
  readonly maxDuration: number;
  /** ms */
  readonly listLag: number;
  /** ms */
  readonly driftInterval: number;
  readonly createdBy: string;
  readonly clock: Clock;
}

const integration = 'alertmanagerSilences';
const { refuse, members, wholeNumber, baseUrl, headerSecret }: OptionChecks = optionChecks(integration);

const own = [
  ...['url', 'token', 'basic', 'labels', 'during', 'maxDuration', 'listLag', 'driftInterval', 'createdBy'],
  ...['fetch', 'clock'],
];

const namesOf = ({ metadata }: Workspace): Readonly<Record<string, string>> => ({
  namespace: metadata.namespace ?? '',
  workspace: metadata.name,
});

/** Value of the header `Authorization`, and what of it is secret. */
interface Credential {
  readonly authorization: string | undefined;
  readonly secrets: readonly string[];
}

function credentialOf({ token, basic }: AlertmanagerSilencesOptions): Credential {
  if (token !== undefined && basic !== undefined) refuse('basic', 'left out where there is a token');
  if (token !== undefined) return { authorization: `Bearer ${headerSecret('token', token)}`, secrets: [token] };
  if (basic === undefined) return { authorization: undefined, secrets: [] };
  members('basic', basic, ['user', 'password']);
  const { user, password } = basic;
  if (typeof user !== 'string' || !/^[^:\p{Cc}]{1,255}$/u.test(user))
    refuse('basic.user', 'a text of 1 to 255 characters without a colon');
  const encoded = Buffer.from(`${user}:${headerSecret('basic.password', password)}`).toString('base64');
  return { authorization: `Basic ${encoded}`, secrets: [password, encoded] };
}

const maxTime = 2 ** 31 - 1;

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedSilenceOptions(options: AlertmanagerSilencesOptions): CheckedSilenceOptions {
  members('options', options, [...own, ...notifyOptionNames]);
  const { url, labels = namesOf, during = isChanging, createdBy = 'workspace-sequencer' } = options;
  const { fetch = globalThis.fetch, clock = systemClock } = options;
  if (typeof labels !== 'function') refuse('labels', 'a function (workspace) => ({ label: value })');
  if (typeof during !== 'function') refuse('during', 'a function (workspace) => true or false');
  if (typeof createdBy !== 'string' || !/^[^\p{Cc}]{1,100}$/u.test(createdBy))
    refuse('createdBy', 'a text of 1 to 100 characters', createdBy);
  if (typeof fetch !== 'function') refuse('fetch', 'a function');
  const { authorization, secrets } = credentialOf(options);
  const common = checkedNotifyOptions(integration, options, { begins: 'Silenced', usual: 'Silenced' });
  return {
    ...common,
    operations: silencesAt({ url: baseUrl('url', url), authorization, fetch, clock, deadline: common.deadline }),
    secrets,
    labels,
    during,
    maxDuration: wholeNumber('maxDuration', options.maxDuration ?? 3_600_000, { min: 1_000, max: maxTime }),
    listLag: wholeNumber('listLag', options.listLag ?? 0, { min: 0, max: 600_000 }),
    driftInterval: wholeNumber('driftInterval', options.driftInterval ?? 60_000, { min: 1, max: maxTime }),
    createdBy,
    clock,
  };
}
