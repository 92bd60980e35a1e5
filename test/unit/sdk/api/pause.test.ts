import test from 'ava';
import { isPaused, pausedAnnotation } from '../../../../sdk/api/pause.ts';
import { aConfigMap } from '../operator/controlled.ts';

const paused = (value: string, name = pausedAnnotation) => {
  const object = aConfigMap('a');
  return { ...object, metadata: { ...object.metadata, annotations: { [name]: value } } };
};

test('one annotation pauses workspaces and any other object', (t) => {
  t.is(pausedAnnotation, 'se.quencer.io/paused');
  t.true(isPaused(paused('true')));
  for (const value of ['false', 'True', '']) t.false(isPaused(paused(value)), value);
  t.false(isPaused(aConfigMap('a')));
});

test('others may pause instead', (t) => {
  const annotations = { 'example.com/rest': 'yes' };
  t.true(isPaused(paused('yes', 'example.com/rest'), { annotations }));
  t.false(isPaused(paused('true'), { annotations }));
});

test('a deletion continues, unless that is paused as well', (t) => {
  const object = paused('true');
  const deleting = { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  t.false(isPaused(deleting));
  t.true(isPaused(deleting, { pauseDeletion: true }));
  t.false(isPaused(object, {}, true));
});
