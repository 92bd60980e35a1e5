import 'zod'; // loading it late takes time, for which the clocks of lives do not stand still
import test from 'ava';
import type { HttpHooksOptions } from '../../../../integrations/http/index.ts';
import { type Subject, type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { hooksStandIn } from './stand-in.ts';
import { integrationOf, secret, subject } from './subject.ts';

const named = (words: string): TestFunction =>
  Object.assign((title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${words}: ${title}`, run), {
    skip: (title: string) => test.serial.skip(`${words}: ${title}`, () => {}),
  });

const ofId = { id: { description: 'Id of the box.' } };

const variants: readonly (readonly [Subject['identity'], Partial<HttpHooksOptions>, words?: string])[] = [
  ['name', { functions: ['find', 'observe', 'update', 'secretOf', 'replaceMark'] }],
  ['tag', { functions: ['find', 'findAll', 'observe', 'update', 'replaceMark'], outputs: ofId }],
  ['key', { functions: ['find', 'observe', 'update'], validForMs: 86_400_000 }],
  ['opaque', { functions: ['observe'] }],
  ['name', { several: true, functions: ['find', 'observe', 'update', 'secretOf', 'replaceMark'] }, 'several by name'],
  [
    'name',
    { several: true, functions: ['find', 'findAll', 'observe', 'update', 'secretOf', 'replaceMark'], outputs: ofId },
    'several by name, listed',
  ],
  ['key', { several: true, functions: ['find', 'observe', 'update'], validForMs: 86_400_000 }, 'several by key'],
  [
    'key',
    { several: true, functions: ['find', 'findAll', 'observe', 'update'], validForMs: 86_400_000 },
    'several by key, listed',
  ],
];

/** Cases that take long and are the same for each identity. */
const same = ['reports', 'throttled', 'signal', 'fixes', 'memory', 'forged'] as const;

const two = (spec: Subject['spec']) => {
  const { 'acme-box': box } = spec.integrations as { readonly 'acme-box': object };
  return { integrations: { 'acme-box': ['first', 'second'].map((name) => ({ ...box, name })) } };
};
const several = { spec: two(subject.spec), edited: two(subject.edited ?? {}) };

for (const [identity, options, words = identity] of variants)
  testIntegration(named(words), {
    ...subject,
    ...(options.several === true && several),
    identity,
    ...(words !== 'name' && { cannot: Object.fromEntries(same.map((one) => [one, 'proved with identity name'])) }),
    start({ clock }) {
      const server = hooksStandIn({ secret, identity, clock, isSecretive: identity === 'name' });
      return {
        fetch: server.fetch,
        integration: (run) => integrationOf(run, { identity, ...options }),
        causeDrift: () => server.causeDrift(),
        remote: () => [...server.boxes.values()].map(({ id, wanted }) => ({ id, what: JSON.stringify(wanted) })),
      };
    },
  });
