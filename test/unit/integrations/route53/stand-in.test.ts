import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
  Route53ServiceException,
} from '@aws-sdk/client-route-53';
import test, { type ExecutionContext } from 'ava';
import { systemClock } from '../../../../sdk/index.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import { aListener } from './a-listener.ts';
import { expectRoute53 } from './contract.ts';
import { type Route53StandInOptions, route53StandIn } from './stand-in.ts';
import { credential, zones } from './subject.ts';

/** The vendor's own client, asking the stand-in over HTTP. */
async function aClient(t: ExecutionContext, options: Partial<Route53StandInOptions> = {}, credentials = credential) {
  const server = route53StandIn({ zones, ...credential, ...options });
  const { url, close } = await aListener(server.fetch);
  t.teardown(close);
  const client = new Route53Client({
    region: 'us-east-1',
    endpoint: url,
    credentials: { ...credentials },
    maxAttempts: 1,
  });
  t.teardown(() => client.destroy());
  return { server, client };
}

const codeOf = async (answer: Promise<unknown>): Promise<string> => {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Route53ServiceException ? `${error.$metadata.httpStatusCode} ${error.name}` : String(error);
};

test('the official client reads each refusal, and finds all of a batch or nothing', async (t) => {
  const { client } = await aClient(t, { pending: 1 });
  await expectRoute53(t, client, 'ZPUBLIC');
});

test('the official client lists zones and record sets page by page, sorted by labels from the right', async (t) => {
  const { client, server } = await aClient(t);
  const page = await client.send(new ListHostedZonesCommand({ MaxItems: 2 }));
  t.like(page, { IsTruncated: true, NextMarker: 'ZPUBLIC' });
  t.deepEqual(
    page.HostedZones?.map(({ Id, Name, Config }) => [Id, Name, Config?.PrivateZone]),
    [
      ['/hostedzone/ZOTHER', 'other.test.', false],
      ['/hostedzone/ZPRIVATE', `${zone}.`, true],
    ],
  );
  const rest = await client.send(new ListHostedZonesCommand({ Marker: page.NextMarker }));
  t.deepEqual(
    rest.HostedZones?.map(({ Id }) => Id),
    ['/hostedzone/ZPUBLIC'],
  );
  for (const name of ['b.a', 'a', 'b', '*.a'])
    server.change(['CREATE', { name: `${name}.${zone}`, type: 'A', ttl: 60, values: ['192.0.2.1'] }]);
  const HostedZoneId = 'ZPUBLIC';
  const first = await client.send(
    new ListResourceRecordSetsCommand({ HostedZoneId, MaxItems: 2, StartRecordName: `a.${zone}` }),
  );
  const names = (sets: readonly ResourceRecordSet[] = []) => sets.map(({ Name }) => Name);
  t.deepEqual(names(first.ResourceRecordSets), [`a.${zone}.`, `\\052.a.${zone}.`]);
  t.like(first, { IsTruncated: true, NextRecordName: `b.a.${zone}.`, NextRecordType: 'A' });
  const { NextRecordName, NextRecordType } = first;
  const second = await client.send(
    new ListResourceRecordSetsCommand({
      HostedZoneId,
      StartRecordName: NextRecordName,
      StartRecordType: NextRecordType,
    }),
  );
  t.deepEqual(names(second.ResourceRecordSets), [`b.a.${zone}.`, `b.${zone}.`]);
});

test('the official client is reported when all name servers have a change', async (t) => {
  const { client } = await aClient(t, { pending: 1 });
  const set = { Name: `x.${zone}`, Type: 'A' as const, TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }] };
  const Changes = [{ Action: 'CREATE' as const, ResourceRecordSet: set }];
  const { ChangeInfo } = await client.send(
    new ChangeResourceRecordSetsCommand({ HostedZoneId: 'ZPUBLIC', ChangeBatch: { Changes } }),
  );
  t.like(ChangeInfo, { Id: '/change/C1', Status: 'PENDING' });
  const state = async (Id?: string) => (await client.send(new GetChangeCommand({ Id }))).ChangeInfo?.Status;
  t.deepEqual([await state(ChangeInfo?.Id), await state('C1')], ['PENDING', 'INSYNC']);
  t.is(await codeOf(state('C9')), '404 NoSuchChange');
});

test('credential, zone, rate and changes at the same time are refused as at AWS', async (t) => {
  const Changes = [
    {
      Action: 'UPSERT' as const,
      ResourceRecordSet: {
        ...{ Name: `x.${zone}`, Type: 'A' as const, TTL: 60 },
        ResourceRecords: [{ Value: '192.0.2.1' }],
      },
    },
  ];
  const change = (HostedZoneId: string) =>
    new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } });
  const { client } = await aClient(t);
  t.is(await codeOf(client.send(change('ZABSENT'))), '404 NoSuchHostedZone');
  const two = await Promise.all([codeOf(client.send(change('ZPUBLIC'))), codeOf(client.send(change('ZOTHER')))]);
  t.true(two.includes('400 InvalidChangeBatch'), 'a name of another zone');
  const { client: stranger } = await aClient(t, {}, { ...credential, accessKeyId: 'AKIAOTHER' });
  t.is(await codeOf(stranger.send(new ListHostedZonesCommand({}))), '403 InvalidClientTokenId');
  const still = { ...systemClock, monotonic: () => 0 };
  const { client: hasty } = await aClient(t, { clock: still });
  for (let count = 0; count < 5; count += 1) await hasty.send(new ListHostedZonesCommand({}));
  t.is(await codeOf(hasty.send(new ListHostedZonesCommand({}))), '400 Throttling');
  const { fetch } = route53StandIn({ zones, ...credential });
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${credential.accessKeyId}/x` };
  const body =
    '<a><ChangeBatch><Changes><Change><Action>UPSERT</Action><ResourceRecordSet><Name>x.example.test</Name><Type>A</Type><TTL>1</TTL><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></a>';
  const send = () => fetch('https://r.test/2013-04-01/hostedzone/ZPUBLIC/rrset', { method: 'POST', headers, body });
  const both = await Promise.all([send(), send()]);
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
});
