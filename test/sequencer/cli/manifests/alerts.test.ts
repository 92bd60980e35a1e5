import test from 'ava';
import { alerts } from '../../../../sequencer/cli/manifests/alerts.ts';

test('every alert has its own name, and says what to do', (t) => {
  const rules = alerts('job="sequencer"');
  t.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, annotations } of rules) {
    t.regex(alert, /^Sequencer[A-Z]/);
    t.regex(annotations.summary, /^.{1,100}\.$/);
    t.true(annotations.description.length > 20, alert);
  }
});
