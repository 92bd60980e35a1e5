import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { type CloudflareRecord, replacementBatch } from '../../../integrations/cloudflare/records.ts';
import { cycleOf, dependenciesOf, removable } from '../../../integrations/components/dependencies.ts';
import { interpolate } from '../../../integrations/components/interpolate.ts';
import { wantedOf } from '../../../integrations/components/objects.ts';
import { checkedComponentsOptions } from '../../../integrations/components/options.ts';
import { componentsPlanOf, teardownPlanOf } from '../../../integrations/components/plan.ts';
import { podSpecOf } from '../../../integrations/components/pod-spec.ts';
import { blockerOf, failureOf, isReady } from '../../../integrations/components/readiness.ts';
import { excessOf } from '../../../integrations/components/template-size.ts';
import { dnsNameRule } from '../../../integrations/dns/allowed-names.ts';
import { dnsDrift, dnsQueriesOf } from '../../../integrations/dns/drift.ts';
import { markedOwner, ownerMark } from '../../../integrations/dns/owners.ts';
import { type DnsRecord, dnsChanges, fullNameOf, isName, wantedDns } from '../../../integrations/dns/records.ts';
import { textOfTxtContent, txtContentOf } from '../../../integrations/dns/txt-content.ts';
import { replaceChanges } from '../../../integrations/powerdns/rrsets.ts';
import { encodeName, labelsOf } from '../../../integrations/rfc2136/names.ts';
import { encodeData, txtTextOf } from '../../../integrations/rfc2136/record-data.ts';
import { decodeMessage } from '../../../integrations/rfc2136/wire.ts';
import { dnsLabelName } from '../../../integrations/service-names.ts';
import { type Component, outputReferences, type Pod, type Service, withOutputs } from '../../../sdk/index.ts';
import { aWorkspace } from '../a-workspace.ts';
import { excessiveGrowth, items, repeated, workOn } from '../growth.ts';

const rules = checkedComponentsOptions({}).rulesFor(aWorkspace());
const referents = {
  networks: new Map([['a', new Map([['b', 'shop-a-b.default.svc:80']])]]),
  outputOf: (reference: string) => (reference === 'A.b' ? 'value' : undefined),
};
const linear = async <T>(t: ExecutionContext, make: (size: number) => T, work: (input: T) => unknown) =>
  t.is(await excessiveGrowth(workOn(make, work)), undefined);
const orThrow = (work: () => unknown): void => {
  try {
    work();
  } catch {} // an error is a result too
};

/** Readers of texts that a tenant or a name server wrote. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  interpolate: (text) => interpolate({ containers: [{ args: [text], [text]: text }] }, referents),
  outputReferences,
  withOutputs: (text) => orThrow(() => withOutputs(aWorkspace(), [text])),
  podSpecOf: (text) => podSpecOf({ serviceAccountName: text, hostPID: text, containers: [{ image: text }] }, rules),
  excessOf: (text) => excessOf([{ name: 'a', template: { [text]: text } }]),
  dnsLabelName: (text) => dnsLabelName(text, text),
  isName,
  fullNameOf: (text) => fullNameOf(text, text),
  dnsNameRule: (text) => dnsNameRule('dns', { names: ['example.test'] })(aWorkspace(), text),
  labelsOf: (text) => orThrow(() => labelsOf(text)),
  encodeName: (text) => orThrow(() => encodeName(text)),
  encodeData: (text) => encodeData('TXT', text),
  textOf: (text) => orThrow(() => txtTextOf(Buffer.from(text))),
  txtContentOf,
  textOfTxtContent: (text) => [textOfTxtContent(text), textOfTxtContent(`"${text}"`)],
  replaceChanges: (text) =>
    replaceChanges({ name: text, owner: text, ttl: 60, present: [], records: [record(text, text)] }),
  markedOwner: (text) => markedOwner(`heritage=workspace-sequencer,${text}`),
  wantedDns: (text) =>
    wantedDns(
      aWorkspace({
        spec: { networking: { dns: { zone: 'example.test' } } },
        status: { dns: [{ recordType: 'A', name: text, target: text, properties: { ttl: text } }] },
      }),
      undefined,
    ),
};

/** Parts of pathological texts: prefixes of everything that a parser looks for. */
const pieces = [
  '${components::',
  '${outputs::A.b}',
  '${outputs::',
  '${',
  '}',
  '.networks.',
  'a.networks.b',
  '.',
  '\\',
  '\\0',
  '-',
  '@',
  '=',
  ',',
  'owner=',
  'a',
  ' ',
  '\u0000',
];

for (const [name, read] of Object.entries(readers))
  test(`${name} takes time in proportion to its text, whatever is in it`, async (t) => {
    const patterns = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''));
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        await linear(t, (size) => repeated(pattern, size), read);
      }),
      { numRuns: 5, examples: pieces.slice(0, 3).map((piece) => [piece]) },
    );
  });

const needs = (...names: readonly string[]) =>
  names.map((componentName) => ({ componentName, conditionType: 'Ready', conditionStatus: 'True' as const }));
const port = { port: 80, targetPort: 80, protocol: 'TCP' as const };
const component = (name: string, ...waitsFor: readonly string[]): Component => ({
  name,
  template: { containers: [{ name, image: name }] },
  networks: [{ name: 'http', ...port }],
  dependsOn: needs(...waitsFor),
});

/** Components that depend on one another: in a chain, in a circle, and all on one. */
const shapes = {
  chain: (size: number) =>
    items(size, 200, (index) => component(`c${index}`, `c${index + 1}`)).concat(component(`c${Math.ceil(size / 200)}`)),
  circle: (size: number) =>
    items(size, 200, (index) => component(`c${index}`, `c${(index + 1) % Math.ceil(size / 200)}`)),
  star: (size: number) => [
    component('c', ...items(size, 200, (index) => `c${index}`)),
    ...items(size, 200, (index) => component(`c${index}`)),
  ],
  twins: (size: number) => items(size, 200, () => component('same', 'same')),
};

for (const [shape, make] of Object.entries(shapes))
  test(`components that wait for one another in a ${shape} are planned in proportion to their number`, async (t) => {
    await linear(t, make, (all) => {
      const names = new Set(all.map(({ name }) => name));
      cycleOf(all);
      removable(names, all);
      for (const one of all) dependenciesOf(one, names);
    });
    await linear(
      t,
      (size) => aWorkspace({ spec: { components: make(size / 4) } }),
      (workspace) => {
        const wanted = wantedOf(workspace, { ...rules, versions: new Map() });
        if (wanted.kind !== 'components') return;
        const pods = wanted.components.map(({ workload }) => workload.object) as unknown as readonly Pod[];
        const services = wanted.components.flatMap((one) => one.services) as unknown as readonly Service[];
        for (const observed of [
          { pods: [], deployments: [], services: [] },
          { pods, deployments: [], services },
        ]) {
          componentsPlanOf(wanted.components, observed);
          teardownPlanOf(workspace.spec.components ?? [], observed);
        }
      },
    );
  });

test('templates are walked in proportion to their size, however wide or deep', async (t) => {
  const wide = (size: number) => ({ containers: items(size, 40, (index) => ({ name: `c${index}`, image: 'x' })) });
  await linear(t, wide, (template) => interpolate(template, referents));
  await linear(t, wide, (template) => podSpecOf(template, rules));
  await linear(t, wide, (template) => excessOf([{ name: 'a', template }]));
  const deep = (size: number) => items(size, 8, () => 0).reduce<object>((inner) => ({ a: inner }), {});
  await linear(t, deep, (template) => excessOf([{ name: 'a', template }]));
  await linear(t, deep, outputReferences);
});

test('what a pod reports is read in proportion to its size', async (t) => {
  const make = (size: number) =>
    ({
      metadata: { name: 'p' },
      status: {
        phase: 'Failed',
        conditions: items(size, 80, () => ({ type: 'X', status: 'False' })),
        containerStatuses: items(size, 80, (index) => ({
          name: `c${index}`,
          state: { waiting: { reason: 'ContainerCreating' } },
        })),
      },
    }) as unknown as Pod;
  await linear(t, make, (pod) => [isReady(pod), failureOf(pod), blockerOf(pod)]);
});

const zone = 'example.test';
const record = (name: string, target: string): DnsRecord => ({ zone, name, type: 'TXT', target });
const spread = (size: number) => items(size, 60, (index) => record(`n${index}.${zone}`, 'x'));
const heap = (size: number) => items(size, 60, (index) => record(`n.${zone}`, `${index}`));

for (const [what, make] of [
  ['under many names', spread],
  ['under one name', heap],
] as const)
  test(`records ${what} are compared in proportion to their number`, async (t) => {
    await linear(t, make, (records) => {
      dnsChanges(records, { records: records.toReversed(), doubtful: records });
      const places = dnsQueriesOf(records);
      const seen = places.map(({ name }) => ({ zone, name, owner: 'me', records: [record(name, 'other')] }));
      dnsDrift({ wanted: records, observed: seen, owner: 'me', ttl: 60 });
      dnsDrift({ wanted: [], observed: [{ zone, name: `n.${zone}`, owner: 'me', records }], owner: 'me', ttl: 60 });
    });
    await linear(
      t,
      (size) =>
        aWorkspace({
          spec: {
            networking: {
              dns: { zone },
              ingress: {
                className: 'nginx',
                rules: items(size, 60, (index) => ({
                  name: `r${index}`,
                  subdomain: `s${index}`,
                  path: '/',
                  component: 'a',
                  network: 'b',
                })),
              },
            },
          },
          status: { dns: make(size).map(({ name, target }) => ({ recordType: 'TXT', name, target })) },
        }),
      (workspace) => wantedDns(workspace, '192.0.2.1'),
    );
  });

test('records at Cloudflare are replaced in proportion to their number', async (t) => {
  const present = (size: number) =>
    items(size, 60, (index): CloudflareRecord => {
      const fields = { name: `n.${zone}`, type: 'TXT', content: `"${index % 7}"`, ttl: 60, proxied: false };
      return { id: `${index}`, ...fields, comment: ownerMark('me'), createdOn: index % 5 };
    });
  const make = (size: number) => ({ records: heap(size), present: present(size) });
  await linear(t, make, (all) => replacementBatch({ ...all, owner: 'me', former: [], ttl: 60 }));
});

/** A header, then that many questions with names that point back along a chain of pointers. */
function chained(size: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(size / 16));
  const count = Math.floor((bytes.length - 12) / 6);
  bytes.writeUInt16BE(count, 4);
  for (let index = 0; index < count; index += 1)
    bytes.writeUInt16BE(0xc000 | Math.min(0x3fff, 12 + 6 * Math.max(0, index - 1)), 12 + 6 * index);
  return bytes;
}

test('a message of a name server is read in proportion to its size, whatever its pointers', async (t) => {
  await linear(t, chained, (bytes) => orThrow(() => decodeMessage(bytes)));
  const names = (size: number) => {
    const first = Buffer.concat([Buffer.alloc(12), encodeName(repeated('a.', 250).slice(0, -1)), Buffer.alloc(4)]);
    const others = items(size / 16, 6, () => Buffer.from([0xc0, 12, 0, 1, 0, 1]));
    first.writeUInt16BE(others.length + 1, 4);
    return Buffer.concat([first, ...others]);
  };
  await linear(t, names, (bytes) => orThrow(() => decodeMessage(bytes)));
});
