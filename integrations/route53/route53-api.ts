/** Requests to Route 53, by the package `@aws-sdk/client-route-53`. */

import type { Change, Route53Client } from '@aws-sdk/client-route-53';
import { type Clock, DefiniteError, KeyedMutex, withDeadline } from '../../sdk/index.ts';
import { type AwsErrorRules, awsErrorOf, hasCode } from '../aws/aws-error.ts';
import { withBoundedResponses } from '../aws/bounded-responses.ts';
import { type AwsAddress, awsClientConfig, type Loaded, once } from '../aws/client-config.ts';
import { fetchHandler } from '../aws/fetch-handler.ts';
import { vendorLibrary } from '../vendor-library.ts';
import { type RecordSet, type RecordSetChange, recordSetOf } from './record-sets.ts';

/** Address, credential and bounds of the API. */
export interface Route53ApiOptions {
  readonly address: AwsAddress;
  /** Transport of the requests. @default the AWS SDK's own */
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  /** Maximum requests per second; further ones wait. */
  readonly requestsPerSecond: number;
}

/** Public hosted zone. */
export interface HostedZone {
  readonly id: string;
  /** In lower case, without a trailing dot. */
  readonly name: string;
}

/** Thrown for a batch that does not match the existing record sets or has an invalid value; it had no effect. */
export class BatchRefusedError extends DefiniteError {}

/** Batch that Route 53 has accepted. */
export interface TakenChange {
  readonly id: string;
  /** All name servers have it. */
  readonly isInSync: boolean;
}

/** Operations of Route 53. */
export interface Route53Api {
  /** Lists all public hosted zones of the account. @throws DefiniteError when there are too many */
  publicZones(signal: AbortSignal): Promise<readonly HostedZone[]>;
  /** Reads all record sets of one name. */
  recordSetsAt(zoneId: string, name: string, signal: AbortSignal): Promise<readonly RecordSet[]>;
  /**
   * Applies all changes or none, and returns the id of the batch. Batches of one zone are sequential, since Route 53 refuses concurrent ones.
   * @throws BatchRefusedError, another DefiniteError or ThrottledError when they had no effect, another Error when that is unknown
   */
  change(zoneId: string, changes: readonly RecordSetChange[], signal: AbortSignal): Promise<TakenChange>;
  /** Reports whether all name servers have a change. @throws DefiniteError when that is refused, ThrottledError, or another Error */
  isInSync(changeId: string, signal: AbortSignal): Promise<boolean>;
}

const rules: AwsErrorRules = {
  service: 'Route 53',
  throttled: /^(Throttling|ThrottlingException|PriorRequestNotComplete|RequestLimitExceeded)$/,
  advice: {
    AccessDenied: 'the credential lacks what the README of this integration lists',
    AccessDeniedException: 'the credential lacks what the README of this integration lists',
    NoSuchHostedZone: 'check option hostedZoneId',
  },
};

/** Record sets of a page, and most pages of one name; hosted zones of a page, and most pages of them. */
const [pageSize, maxPages, zonePageSize, maxZonePages] = [100, 10, 100, 20];

/** Converts the error of a request. */
function errorOf(error: unknown): unknown {
  const found = awsErrorOf(error, rules);
  return hasCode(error, 'InvalidChangeBatch')
    ? new BatchRefusedError((found as Error).message, { cause: error })
    : found;
}

/** Returns what a response must have; the AWS SDK leaves out what it does not find. @throws Error for that of another server, without a definite outcome */
function answered<T>(member: T | undefined, what: string): T {
  if (member === undefined) throw new Error(`Route 53 returned no ${what}: check option endpoint`);
  return member;
}

/** Library of Route 53 with its client. */
type LoadedRoute53 = Loaded<typeof import('@aws-sdk/client-route-53'), Route53Client>;

async function loadRoute53({ address, fetch, deadline }: Route53ApiOptions): Promise<LoadedRoute53> {
  const name = '@aws-sdk/client-route-53';
  const library = await vendorLibrary(name, 'integrations/route53/dns', async () => import('@aws-sdk/client-route-53'));
  const config = awsClientConfig(address, deadline);
  const client = new library.Route53Client(fetch ? { ...config, requestHandler: fetchHandler(fetch) } : config);
  return { library, client: withBoundedResponses(client, deadline) };
}

/** Returns a function that delays requests so that they are evenly spaced. */
function requestSpacer({ clock, requestsPerSecond }: Pick<Route53ApiOptions, 'clock' | 'requestsPerSecond'>) {
  let next = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = clock.monotonic();
    const slot = Math.max(now, next);
    next = slot + 1_000 / requestsPerSecond;
    if (slot > now) await clock.sleep(slot - now, signal);
  };
}

const asChange = ({ action, set }: RecordSetChange): Change => ({ Action: action, ResourceRecordSet: set });

/** Sends a request by the library, which is loaded with the first one. */
type SendRequest = <T>(
  signal: AbortSignal,
  send: (loaded: LoadedRoute53, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Returns the function that sends requests, with the rate limit and a timeout. */
function asks(options: Route53ApiOptions): SendRequest {
  const { clock, deadline } = options;
  const load = once(() => loadRoute53(options));
  const slot = requestSpacer(options);
  return async (signal, send) => {
    const library = await load();
    await slot(signal);
    return withDeadline({ clock, deadline, signal }, (inner) =>
      send(library, inner).catch((error: unknown) => {
        throw errorOf(inner.aborted ? inner.reason : error);
      }),
    );
  };
}

/** Creates a client. */
export function route53Api(options: Route53ApiOptions): Route53Api {
  const changing = new KeyedMutex();
  const ask = asks(options);
  return {
    async publicZones(signal) {
      const all: HostedZone[] = [];
      let Marker: string | undefined;
      for (let page = 0; page < maxZonePages; page += 1) {
        const answer = await ask(signal, ({ library, client }, abortSignal) =>
          client.send(new library.ListHostedZonesCommand({ MaxItems: zonePageSize, Marker }), { abortSignal }),
        );
        for (const { Id = '', Name = '', Config } of answered(answer.HostedZones, 'list of hosted zones'))
          if (Config?.PrivateZone !== true)
            all.push({ id: Id.replace('/hostedzone/', ''), name: Name.toLowerCase().replace(/\.$/, '') });
        if (answer.IsTruncated !== true) return all;
        Marker = answer.NextMarker;
      }
      throw new DefiniteError(
        `Route 53: the account has more than ${zonePageSize * maxZonePages} hosted zones: set options hostedZoneId and zone`,
      );
    },
    async recordSetsAt(HostedZoneId, name, signal) {
      const all: RecordSet[] = [];
      let start: object = { StartRecordName: `${name}.` };
      for (let page = 0; page < maxPages; page += 1) {
        const input = { HostedZoneId, MaxItems: pageSize, ...start };
        const answer = await ask(signal, ({ library, client }, abortSignal) =>
          client.send(new library.ListResourceRecordSetsCommand(input), { abortSignal }),
        );
        const found = answered(answer.ResourceRecordSets, `list of record sets of ${name}`).map(recordSetOf);
        all.push(...found.filter((set) => set.name === name));
        if (answer.IsTruncated !== true || found.at(-1)?.name !== name) return all;
        const { NextRecordName, NextRecordType, NextRecordIdentifier } = answer;
        start = {
          StartRecordName: NextRecordName,
          StartRecordType: NextRecordType,
          StartRecordIdentifier: NextRecordIdentifier,
        };
      }
      throw new Error(`Route 53: ${name} has more than ${pageSize * maxPages} record sets`);
    },
    change: (HostedZoneId, changes, signal) =>
      changing.runExclusive(HostedZoneId, async () => {
        signal.throwIfAborted();
        const input = { HostedZoneId, ChangeBatch: { Changes: changes.map(asChange) } };
        const { ChangeInfo } = await ask(signal, ({ library, client }, abortSignal) =>
          client.send(new library.ChangeResourceRecordSetsCommand(input), { abortSignal }),
        );
        const { Id = '', Status } = answered(ChangeInfo, 'change');
        return { id: Id.replace('/change/', ''), isInSync: Status !== 'PENDING' };
      }),
    async isInSync(Id, signal) {
      const { ChangeInfo } = await ask(signal, ({ library, client }, abortSignal) =>
        client.send(new library.GetChangeCommand({ Id }), { abortSignal }),
      );
      return ChangeInfo?.Status === 'INSYNC';
    },
  };
}
