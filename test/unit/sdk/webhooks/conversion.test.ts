import test from 'ava';
import { answerConversion, convertObject } from '../../../../sdk/webhooks/conversion.ts';
import { type ConvertedObject, converter, spoke } from '../../../../sdk/webhooks/declarations.ts';
import { aConversion, aSite, OldSite, Site } from './a-site.ts';

const sites = converter(
  Site,
  spoke(OldSite, {
    toHub: ({ spec: { host } }): ConvertedObject<Site> => ({ spec: { hosts: [host] } }),
    fromHub: ({ spec: { hosts }, metadata }: Site): ConvertedObject<OldSite> => {
      if (hosts.length === 0) throw new Error('it has no host');
      const labels = { ...metadata.labels, more: `${hosts.length - 1}` };
      return { spec: { host: hosts[0]! }, metadata: { labels } };
    },
  }),
  spoke<Site, Site>(
    { ...Site, version: 'v3' },
    { toHub: ({ spec }) => ({ spec }), fromHub: ({ spec }) => ({ spec: { ...spec, replicas: 3 } }) },
  ),
);

test('objects are converted to the hub, from it, and between two spokes; metadata stays but for labels', (t) => {
  const old = convertObject(sites, aSite(), 'example.com/v1');
  t.deepEqual(old, {
    apiVersion: 'example.com/v1',
    kind: 'Site',
    metadata: { name: 'shop', namespace: 'default', uid: 'u1', labels: { more: '0' } },
    spec: { host: 'shop.example.com' },
  });
  t.like(convertObject(sites, old, 'example.com/v2'), { apiVersion: 'example.com/v2', spec: aSite().spec });
  t.like(convertObject(sites, old, 'example.com/v3'), { apiVersion: 'example.com/v3', spec: { replicas: 3 } });
  t.is(convertObject(sites, old, 'example.com/v1'), old);
});

test('a review is answered with all objects in their order', (t) => {
  const review = aConversion([aSite(), aSite({ hosts: ['a', 'b'] })], 'example.com/v1');
  const { review: answer, outcome } = answerConversion(sites, review);
  t.is(outcome, 'converted');
  t.like(answer, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: { uid: 'c1', result: { status: 'Success' } },
  });
  const { response } = answer as { response: { convertedObjects: { spec: object }[] } };
  t.deepEqual(
    response.convertedObjects.map(({ spec }) => spec),
    [{ host: 'shop.example.com' }, { host: 'a' }],
  );
});

for (const [what, object, version, message] of [
  [
    'a function that throws',
    aSite({ hosts: [] }),
    'v1',
    'Site default/shop cannot be converted from example.com/v2 to example.com/v1: it has no host',
  ],
  [
    'a version that is not there',
    aSite(),
    'v9',
    /example\.com\/v9 is not converted; known are example\.com\/v2, example\.com\/v1, example\.com\/v3/,
  ],
] as const)
  test(`${what} fails the whole review, and names the object`, (t) => {
    const { review, outcome } = answerConversion(sites, aConversion([aSite(), object], `example.com/${version}`));
    t.is(outcome, 'not converted');
    const { response } = review as { response: { result: { status: string; message: string } } };
    t.is(response.result.status, 'Failure');
    if (typeof message === 'string') t.is(response.result.message, message);
    else t.regex(response.result.message, message);
  });
