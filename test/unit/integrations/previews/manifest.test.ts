import test from 'ava';
import { mistakeInTemplate, previewManifests } from '../../../../integrations/previews/manifest.ts';
import { numberOf, sourceOf } from '../../../../integrations/previews/preview-labels.ts';
import { shaOf } from '../fixtures/a-code-host.ts';

const source = { host: 'github.com', repository: 'acme/shop' };
const pull = { number: 12, isOpen: true, sha: shaOf('1'), branch: 'b', isFork: false, labels: [], updatedAt: 0 };

test('without a name a preview is named by repository and number, and bears our marks', (t) => {
  const { metadata } = previewManifests({ metadata: { labels: { a: '${pr::branch}' } }, spec: {} }, source).of(pull);
  t.like(metadata, { name: 'acme-shop-12', namespace: 'default', labels: { a: 'b' } });
  const workspace = { apiVersion: '', kind: '', metadata, spec: {} };
  t.is(numberOf(workspace, sourceOf(source)), 12);
  t.is(numberOf(workspace, sourceOf({ ...source, repository: 'acme/shop2' })), undefined);
});

test('a template cannot take the marks away', (t) => {
  const labels = { 'previews.se.quencer.io/number': '99' };
  t.is(
    previewManifests({ metadata: { labels }, spec: {} }, source).of(pull).metadata.labels?.[
      'previews.se.quencer.io/number'
    ],
    '12',
  );
});

for (const [template, mistake] of [
  [{}, /must have a spec/],
  [{ kind: 'Pod', spec: {} }, /must be a Workspace of se.quencer.io\/v1alpha1, not Pod/],
  [{ metadata: { name: 'shop' }, spec: {} }, /must have \$\{pr::number\} in it/],
  [{ metadata: { name: '${pr::number}-${pr::sha}' }, spec: {} }, /no \$\{pr::sha\}/],
  [{ metadata: { name: 'Shop-${pr::number}' }, spec: {} }, /metadata.name: its name must be a DNS label/],
  [{ metadata: { name: '${pr::number}', namespace: 'a/b' }, spec: {} }, /metadata.namespace must be a DNS label/],
  [{ spec: { integrations: { a: '${pr::tittle}' } } }, /spec.integrations.a: \$\{pr::tittle\} is not a reference/],
] as const)
  test(`a template with a mistake is reported: ${mistake.source.slice(0, 40)}`, (t) => {
    t.regex(mistakeInTemplate(template as never) ?? '', mistake);
  });
