import test from 'ava';
import { unknownFieldLines, unknownFields } from '../../../../../sequencer/cli/args/unknown-fields.ts';

const refusal =
  'Workspace in version "v1alpha1" cannot be handled as a Workspace: strict decoding error: unknown field "spec.componants", unknown field "spec.networking.dnss", unknown field "spec.components[0].nmae", unknown field "spec.zzzzzz"';

test('each unknown field is reported, with the one that was meant', async (t) => {
  t.deepEqual(await unknownFieldLines(unknownFields(refusal), true), [
    'spec.componants: there is no such field; did you mean components?',
    'spec.networking.dnss: there is no such field; did you mean dns?',
    'spec.components[0].nmae: there is no such field; did you mean name?',
    'spec.zzzzzz: there is no such field',
  ]);
  t.deepEqual(await unknownFieldLines(['spec.componants'], false), ['spec.componants: there is no such field']);
});

test('other refusals name none', (t) => t.deepEqual(unknownFields('spec.zone: Required value'), []));
