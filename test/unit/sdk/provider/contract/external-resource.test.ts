import test from 'ava';
import { type ExternalResource, externalResource } from '../../../../../sdk/index.ts';

type Box = { readonly size: number };
type Id = { readonly id: string };
const sound: ExternalResource<Box, Id> = {
  label: 'box',
  identity: 'tag',
  find: async () => undefined,
  create: async () => ({ id: { id: 'a' } }),
  delete: async () => 'gone',
};

test('a sound resource is given back as it is', (t) => t.is(externalResource(sound), sound));

const bad: readonly (readonly [change: object, message: RegExp])[] = [
  [{ identity: 'luck' }, /identity must be one of name, tag, key, opaque, found "luck"/],
  [{ find: undefined }, /find must be a function for identity tag/],
  [{ identity: 'key', find: undefined }, /validForMs must be a number of ms for identity key; found undefined/],
  [{ identity: 'key', find: undefined, validForMs: 24 }, /validForMs must be at least 100 ms; found 24: it is in ms/],
  [{ create: undefined }, /create must be a function/],
  [{ delete: 'yes' }, /delete must be a function/],
  [{ label: undefined }, /label must be text of 1 to 253 characters; found undefined/],
  [{ nameOf: 'name' }, /nameOf must be a function; found "name"/],
  [{ observe: 1 }, /observe must be a function; found 1/],
  [{ update: null }, /update must be a function; found null/],
  [{ replaceMark: true }, /replaceMark must be a function; found true/],
  [{ secretOf: {} }, /secretOf must be a function; found \{\}/],
  [{ findAll: [] }, /findAll must be a function; found an array of 0/],
  [{ driftInterval: 0 }, /driftInterval must be a number of ms from 1; found 0/],
  [{ driftInterval: Number.POSITIVE_INFINITY }, /driftInterval must be a number of ms from 1; found Infinity/],
  [{ maxRequestMs: Number.NaN }, /maxRequestMs must be a number of ms from 0; found NaN/],
  [{ listLagMs: -1 }, /listLagMs must be a number of ms from 0; found -1/],
  [{ driftInterval: 60 }, /driftInterval must be at least 100 ms; found 60: it is in ms, not in seconds$/],
  [{ maxRequestMs: 15 }, /maxRequestMs must be 0 or at least 100 ms; found 15: it is in ms, not in seconds$/],
  [{ listLagMs: 5 }, /listLagMs must be 0 or at least 100 ms; found 5: it is in ms, not in seconds$/],
  [{ listLagMs: 5_000, observe: undefined }, /observe is needed beside find and listLagMs, .*; found undefined/],
  [{ listLagMs: '5' }, /listLagMs must be a number of ms from 0; found "5"/],
  [{ remove: () => {} }, /remove is not an option; known are label, nameOf/],
];
for (const [change, message] of bad)
  test(`refuses ${message.source}`, (t) => {
    t.throws(() => externalResource({ ...sound, ...change } as ExternalResource<Box, Id>), {
      instanceOf: TypeError,
      message,
    });
  });

test('refuses functions of a class, which are lost where the resource is copied', (t) => {
  class Boxes {
    async update(): Promise<void> {}
  }
  const resource = Object.assign(new Boxes(), sound);
  t.throws(() => externalResource(resource), {
    instanceOf: TypeError,
    message: /update must be a member of the object itself; found one of its class/,
  });
});

test('the types ask for what an identity needs', (t) => {
  const { find: _, findAll: __, ...blind } = sound;
  // @ts-expect-error identity tag needs find
  const tagged: ExternalResource<Box, Id> = { ...blind, identity: 'tag' };
  // @ts-expect-error identity key needs validForMs
  const keyed: ExternalResource<Box, Id> = { ...blind, identity: 'key' };
  const opaque: ExternalResource<Box, Id> = { ...blind, identity: 'opaque' };
  t.is([tagged, keyed, opaque].length, 3);
});
