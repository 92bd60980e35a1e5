/** Check of the webhook: its configuration, its CA bundle, and a dry-run call by the API server. */

import { X509Certificate } from 'node:crypto';
import {
  ApiError,
  type Client,
  ForbiddenError,
  type Kind,
  messageOf,
  NotFoundError,
  Workspace,
} from '../../../sdk/index.ts';
import type { WebhookConfiguration } from '../../../sdk/webhooks/index.ts';
import { type OperatorInstance, webhookNames } from '../../run/operator-instance.ts';
import { configurationOf } from '../manifests/webhooks.ts';
import { type Finding, logsOf } from './finding.ts';
import {
  ConfigurationKind,
  differencesBetween,
  leftConfigurations,
  shownConfiguration,
} from './webhook-configuration.ts';

/** Operator whose webhook is checked. */
export interface WebhookCheckTarget extends OperatorInstance {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly namespace: string | undefined;
  readonly operatorNamespace: string;
  readonly isOperator: boolean;
  /** Kinds that the webhook validates. */
  readonly kinds: readonly Kind[];
  /** True if the operator serves a webhook. */
  readonly isServed: boolean;
  /** Wall clock of the server, ms. */
  readonly now: number;
  /** Warning headers of all responses so far. */
  warnings(): readonly string[];
}

/** Member of `spec.integrations` that no integration reads, so that the webhook warns about it with any config. */
const member = 'zz-asked-by-sequencer-doctor';

const check = 'webhook';
const ok = (detail: string): Finding => ({ check, status: 'ok', detail });
const unknown = (detail: string): Finding => ({ check, status: 'unknown', detail });

/** Reports whether a text is a certificate that has not expired. */
function isValidCertificate(pem: string, now: number): boolean {
  try {
    return now < Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return false;
  }
}

/** Describes the problem of a configuration's CA bundle; undefined without one. */
function bundleProblem({ webhooks = [] }: WebhookConfiguration, now: number): string | undefined {
  const bundle = webhooks[0]?.clientConfig.caBundle;
  if (bundle === undefined) return 'has no caBundle yet: no replica has written it';
  const authorities = Buffer.from(bundle, 'base64')
    .toString()
    .match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g);
  return authorities?.some((pem) => isValidCertificate(pem, now))
    ? undefined
    : 'has a caBundle without a certificate that is valid today';
}

/** Creates a workspace by a dry run, for which the API server calls the webhook. @returns undefined when the webhook was called */
async function callProblem(target: WebhookCheckTarget): Promise<Finding | string | undefined> {
  const { client, signal, className, namespace = 'default', warnings } = target;
  const metadata = { namespace, generateName: `${member}-` };
  const spec = { ...(className !== undefined && { className }), integrations: { [member]: {} } };
  try {
    await client.create(Workspace, { metadata, spec }, { dryRun: true, signal });
  } catch (error) {
    if (error instanceof ForbiddenError) return unknown(`it was not called: ${messageOf(error)}`);
    if (!(error instanceof ApiError)) throw error;
    return error.message.includes('failed calling webhook') ? error.message : unknown(messageOf(error));
  }
  if (warnings().some((text) => text.includes(member))) return undefined;
  return 'the API server gets no response from it: workspaces are admitted without validation';
}

/** Checks the webhook of an operator by a workspace that is created with `dryRun`, so that nothing is stored. */
async function ownFinding(target: WebhookCheckTarget): Promise<Finding> {
  const { client, signal, operatorNamespace, isOperator, isServed, selector, now } = target;
  const { configuration: name, service } = webhookNames(target, operatorNamespace);
  const look = `kubectl -n ${operatorNamespace} get endpointslices -l kubernetes.io/service-name=${service.name}; ${logsOf(service)}`;
  const problem = (detail: string, next = look): Finding => ({ check, status: 'problem', detail, next });
  const reinstallHint = (policy: string): string =>
    `sequencer manifests --webhooks ${policy} | kubectl apply -f -, with the options that it was installed by`;
  let configuration: WebhookConfiguration;
  try {
    configuration = await client.get(ConfigurationKind, { name }, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (!isServed) return ok('none is installed');
    return problem(`the operator serves it, and there is no ${name}`, reinstallHint('Ignore'));
  }
  const shown = shownConfiguration(configuration);
  const { failurePolicy = 'Fail' } = configuration.webhooks?.[0] ?? {};
  const differences = differencesBetween(configuration, configurationOf(target, failurePolicy));
  if (differences.length > 0)
    return problem(
      `${shown} is not what this release installs: ${differences.join('; ')}`,
      reinstallHint(failurePolicy),
    );
  const flaw = bundleProblem(configuration, now);
  if (flaw !== undefined) return problem(`${shown} ${flaw}`);
  if (isOperator) return unknown(`${shown} excludes the requests of this account`);
  if (selector !== undefined) return unknown(`${shown} exists; with --selector it is not called`);
  const called = await callProblem(target);
  if (called === undefined) return ok(`answers the API server, failurePolicy ${failurePolicy}`);
  return typeof called === 'string' ? problem(`${shown}: ${called}`) : called;
}

/** Checks the webhook of an operator, and finds leftover configurations. */
export async function webhookFindings(target: WebhookCheckTarget): Promise<readonly Finding[]> {
  const { client, signal, operatorNamespace } = target;
  const { configuration: name, service } = webhookNames(target, operatorNamespace);
  const own = await ownFinding(target);
  if (target.isOperator) return [own];
  const leftovers = leftConfigurations({ client, signal, name, service });
  return [
    own,
    ...(await leftovers.catch((error: unknown) => [
      unknown(`other configurations were not checked: ${messageOf(error)}`),
    ])),
  ];
}
