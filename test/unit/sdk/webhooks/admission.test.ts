import test from 'ava';
import { answerDefaults, answerValidation } from '../../../../sdk/webhooks/admission.ts';
import { type AdmissionContext, defaulter, validator } from '../../../../sdk/webhooks/declarations.ts';
import { ReviewError } from '../../../../sdk/webhooks/reviews.ts';
import { aReview, aSite, Site } from './a-site.ts';

const { signal } = new AbortController();
interface Response {
  readonly response: { readonly allowed: boolean; readonly patch?: string; readonly patchType?: string };
}

test('a validator sees who changes what into what, and its verdict becomes the response', async (t) => {
  const seen: [Site, AdmissionContext<Site>][] = [];
  const webhook = validator(Site, (site, context) => {
    seen.push([site, context]);
    return site.spec.hosts.length === 0 ? { errors: [{ field: 'spec.hosts', message: 'one at least' }] } : undefined;
  });
  const [was, is] = [aSite(), aSite({ hosts: [] })];
  const review = aReview(is, { operation: 'UPDATE', oldObject: was, dryRun: true });
  const answer = await answerValidation(webhook, review, signal);
  t.is(answer.outcome, 'denied');
  t.like(answer.review, { response: { uid: 'r1', allowed: false, status: { code: 422, reason: 'Invalid' } } });
  t.deepEqual(seen[0]![0], is);
  t.like(seen[0]![1], { operation: 'UPDATE', old: was, dryRun: true, user: { username: 'jane', groups: ['people'] } });
  const allowed = await answerValidation(webhook, aReview(was), signal);
  t.like(allowed, { outcome: 'allowed', review: { response: { uid: 'r1', allowed: true } } });
  t.is(seen[1]![1].old, undefined);
});

test('of a deletion a validator sees the object that is to go', async (t) => {
  const webhook = validator(Site, ({ metadata }) => ({ denied: `${metadata.name} stays` }));
  const review = aReview(undefined, { operation: 'DELETE', oldObject: aSite() });
  const answer = await answerValidation(webhook, review, signal);
  t.like(answer.review, { response: { allowed: false, status: { code: 403, message: 'shop stays' } } });
});

test('a defaulter’s changes become the smallest JSON patch, and none where it changes nothing', (t) => {
  const webhook = defaulter(Site, (site) => {
    site.spec.replicas ??= 2;
    site.metadata.labels ??= { 'a/b~c': 'd' };
  });
  const answer = answerDefaults(webhook, aReview(aSite()), signal);
  const { response } = answer.review as Response;
  t.like(response, { allowed: true, patchType: 'JSONPatch' });
  t.deepEqual(JSON.parse(Buffer.from(response.patch!, 'base64').toString()), [
    { op: 'add', path: '/metadata/labels', value: { 'a/b~c': 'd' } },
    { op: 'add', path: '/spec/replicas', value: 2 },
  ]);
  const labelled = { ...aSite({ hosts: [], replicas: 1 }), metadata: { name: 'shop', labels: {} } };
  t.deepEqual(answerDefaults(webhook, aReview(labelled), signal).review, {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'r1', allowed: true },
  });
});

test('a defaulter that is asynchronous is reported, since its draft would be closed', (t) => {
  const webhook = defaulter(Site, async (site) => {
    await Promise.resolve();
    site.spec.replicas = 1;
  });
  t.throws(() => answerDefaults(webhook, aReview(aSite()), signal), { message: /must not be asynchronous/ });
});

test('a review of another kind or version is refused: the configuration names the wrong path', async (t) => {
  const webhook = validator(Site, () => undefined);
  const review = aReview(aSite(), { kind: { group: 'example.com', version: 'v1', kind: 'Site' } });
  await t.throwsAsync(answerValidation(webhook, review, signal), {
    instanceOf: ReviewError,
    message: 'expected a Site of example.com/v2, found Site of example.com/v1',
  });
});
