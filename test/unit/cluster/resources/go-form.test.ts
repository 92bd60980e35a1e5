import test from 'ava';
import { forbidden } from '../../../cluster/apimachinery/validation/errors.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { decodeAs } from '../../../cluster/resources/decode.ts';
import { asGo, goForm, shownInGo } from '../../../cluster/resources/go-form.ts';

const types = builtinTypes();

test('all fields are there, by the names that they have in Go', (t) => {
  t.is(
    JSON.stringify(goForm(types, 'core.ObjectReference', { kind: 'Pod', uid: 'u' })),
    '{"Kind":"Pod","Namespace":"","Name":"","UID":"u","APIVersion":"","ResourceVersion":"","FieldPath":""}',
  );
});

test('a name in Go that does not follow from that in JSON is the internal one', (t) => {
  t.deepEqual(goForm(types, 'core.PhotonPersistentDiskVolumeSource', { pdID: 'a' }), { PdID: 'a', FSType: '' });
  t.deepEqual(goForm(types, 'core.NodeSpec', { externalID: 'b', podCIDR: '10.0.0.0/24' }), {
    PodCIDRs: null,
    ProviderID: '',
    Unschedulable: false,
    Taints: null,
    ConfigSource: null,
    DoNotUseExternalID: 'b',
  });
});

test('labels and selectors keep their names; what may be absent is null', (t) => {
  const form = goForm(types, 'core.PersistentVolumeClaimSpec', { selector: { matchLabels: { a: 'b' } } });
  t.like(form, {
    AccessModes: null,
    Selector: { matchLabels: { a: 'b' } },
    Resources: { Limits: null, Requests: null },
  });
});

test('an empty list that was given is not the same as none', (t) => {
  const { object } = decodeAs(types, 'core.NodeSelectorRequirement', { key: 'a', operator: 'In', values: [] });
  t.is('values' in object, false);
  t.is(
    JSON.stringify(goForm(types, 'core.NodeSelectorRequirement', object)),
    '{"Key":"a","Operator":"In","Values":[]}',
  );
});

test('what a pod has beside its security context is inside of it there', (t) => {
  const form = goForm(types, 'core.PodSpec', { securityContext: { runAsUser: 1 }, hostNetwork: true });
  t.like(form, { SecurityContext: { HostNetwork: true, HostPID: false, ShareProcessNamespace: null, RunAsUser: 1 } });
});

test('errors are shown with values and differences in Go', (t) => {
  const taint = {
    type: 'Duplicate',
    field: 'a',
    value: asGo('core.Taint', { key: 'k', effect: 'NoExecute' }),
  } as const;
  t.deepEqual(shownInGo(types, taint).value, { Key: 'k', Value: '', Effect: 'NoExecute', TimeAdded: null });
  const compared = { type: 'core.Taint', before: { key: 'a', effect: 'x' }, after: { key: 'b', effect: 'x' } };
  const { detail } = shownInGo(types, { ...forbidden('spec', 'is fixed'), compared } as Parameters<
    typeof shownInGo
  >[1]);
  t.is(
    detail,
    'is fixed\n@@ -1,5 +1,5 @@\n {\n- "Key": "a",\n+ "Key": "b",\n  "Value": "",\n  "Effect": "x",\n  "TimeAdded": null\n',
  );
});
