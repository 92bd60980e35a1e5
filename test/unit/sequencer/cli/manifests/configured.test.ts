import test from 'ava';
import { configMap, configuredFields, credentialFields } from '../../../../../sequencer/cli/manifests/configured.ts';

const installed = { name: 'sequencer', namespace: 'ops' };
const config = { name: 'sequencer.config.js', text: 'export const integrations = [];' };

test('the pods mount the ConfigMap, and are replaced when its text changes', (t) => {
  const { metadata, data } = configMap(installed, config);
  t.deepEqual(data, { [config.name]: config.text });
  const fields = configuredFields(installed, config);
  t.like(fields.pod, { volumes: [{ configMap: { name: metadata.name } }] });
  t.deepEqual(configuredFields(installed, { ...config }), fields);
  t.notDeepEqual(configuredFields(installed, { ...config, text: '' }).annotations, fields.annotations);
});

test('without a config and credentials nothing is added', (t) => {
  t.deepEqual(configuredFields(installed, undefined), { annotations: {}, pod: {}, container: {}, args: [] });
  t.deepEqual(credentialFields([]), {});
});

test('each Secret is named, none is optional', (t) => {
  t.deepEqual(credentialFields(['a', 'b']), { envFrom: [{ secretRef: { name: 'a' } }, { secretRef: { name: 'b' } }] });
});
